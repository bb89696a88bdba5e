-- What watchers of chains know: which addresses are whose, what arrived there, and what that says of the orders.

create table chain_account (
  id text primary key,
  coin text not null check (char_length(coin) <= 40),
  next_position integer not null check (next_position between 0 and 2147483647),
  created_at timestamptz(3) not null default now()
);
comment on table chain_account is 'An extended public key that receiving addresses are derived from. Rows stay for good, so that no address is given twice.';
comment on column chain_account.id is 'A hash of the coin and the key: it is in the settings, and not here.';
comment on column chain_account.next_position is 'The index of the next address.';

create table chain_address (
  id bigint generated always as identity primary key,
  coin text not null check (char_length(coin) <= 40),
  target text not null check (char_length(target) <= 128),
  address text not null check (char_length(address) <= 128),
  order_id text references token_order on delete cascade,
  account_id text references chain_account,
  position integer,
  created_at timestamptz(3) not null default now(),
  asked_at timestamptz(3),
  unique (coin, target),
  unique (account_id, position),
  check ((order_id is null) = (account_id is null) and (account_id is null) = (position is null))
);
create unique index chain_address_of_order on chain_address (order_id, coin) where order_id is not null;
create index chain_address_to_ask on chain_address (coin, asked_at nulls first);
comment on table chain_address is 'Receiving addresses that are watched: each of one order, or shared by those without one.';
comment on column chain_address.target is 'As the chain names it: the output script, or the address in lower case, in hexadecimal.';
comment on column chain_address.position is 'The index that it was derived with.';
comment on column chain_address.asked_at is 'When its history was last asked for, where nodes answer by address.';

create table chain_watch (
  coin text primary key check (char_length(coin) <= 40),
  network text not null default '',
  height integer,
  tip_height integer,
  looked_at timestamptz(3),
  tried_at timestamptz(3),
  failure text check (char_length(failure) <= 40),
  failures integer not null default 0,
  next_at timestamptz(3) not null default '-infinity',
  lease_holder text,
  lease_until timestamptz(3)
);
comment on table chain_watch is 'How far each chain has been looked at, and which instance does so.';
comment on column chain_watch.height is 'Of the last block that was looked at.';
comment on column chain_watch.looked_at is 'When a look last reached the end of the chain.';
comment on column chain_watch.failure is 'Why the last look failed, as one of a list; null where it did not.';
comment on column chain_watch.next_at is 'Not before that: who fails waits longer each time.';

create table chain_block (
  coin text not null,
  height integer not null,
  hash text not null check (char_length(hash) <= 66),
  primary key (coin, height)
);
comment on table chain_block is 'The last blocks that were looked at, by which a reorganisation is noticed.';

create table chain_transfer (
  id bigint generated always as identity primary key,
  coin text not null check (char_length(coin) <= 40),
  address_id bigint not null references chain_address on delete cascade,
  tx_id text not null check (char_length(tx_id) <= 66),
  output integer not null,
  amount numeric(38, 18) not null check (amount >= 0),
  height integer,
  block_hash text check (char_length(block_hash) <= 66),
  block_at timestamptz(3),
  first_seen_at timestamptz(3) not null default now(),
  gone_at timestamptz(3),
  reorganised_at timestamptz(3),
  changed_at timestamptz(3) not null default now(),
  unique (coin, tx_id, output)
);
create index chain_transfer_by_address on chain_transfer (address_id);
create index chain_transfer_by_height on chain_transfer (coin, height);
create index chain_transfer_by_change on chain_transfer (coin, changed_at);
comment on table chain_transfer is 'What arrived at a watched address, once for each output of a transaction.';
comment on column chain_transfer.height is 'Of the block in the best chain that has it; null while it is in none.';
comment on column chain_transfer.gone_at is 'Since when it is neither in the best chain nor in the pool.';
comment on column chain_transfer.reorganised_at is 'When the block that had it left the best chain; null again once another has it.';

create type chain_payment_state as enum
  ('awaited', 'seen', 'confirming', 'paid', 'too_little', 'too_much', 'late', 'reorganised');

create table chain_payment (
  order_id text primary key references token_order on delete cascade,
  coin text not null check (char_length(coin) <= 40),
  state chain_payment_state not null,
  received numeric(38, 18) not null,
  is_gone boolean not null default false,
  judged_at timestamptz(3) not null default now()
);
create index chain_payment_paid on chain_payment (order_id) where state = 'paid';
create index chain_payment_to_judge on chain_payment (coin, judged_at);
comment on table chain_payment is 'What the chain said of an order when it was last judged.';
comment on column chain_payment.is_gone is 'Whether an order was completed by a payment that the chain does not have any more.';
