-- Decimals are numeric and never floating point: 20 digits before and 18 after the point, as the contract allows.

create type pay_chain as enum ('bitcoin', 'ethereum', 'other');
create type order_step_kind as enum ('payment_reported', 'completed', 'cancelled');

create table sale (
  id boolean primary key default true check (id),
  is_open boolean not null default false,
  quote_minutes integer not null default 15 check (quote_minutes between 1 and 1440),
  updated_at timestamptz(3) not null default now(),
  updated_by text references member
);
comment on table sale is 'The one record of the sale''s settings. While it is missing nothing is quoted, and orders are taken without quotes.';

create table pay_method (
  code text primary key check (char_length(code) between 1 and 40),
  position integer not null,
  chain pay_chain not null,
  is_open boolean not null,
  rate numeric(38, 18) not null check (rate > 0),
  decimals smallint not null check (decimals between 0 and 18),
  min_amount numeric(38, 18) not null check (min_amount >= 0),
  max_amount numeric(38, 18) not null check (max_amount >= min_amount),
  receiving_address text not null check (char_length(receiving_address) between 1 and 128)
);
comment on table pay_method is 'A coin that the sale takes.';
comment on column pay_method.rate is 'The tokens that one unit of the coin buys.';
comment on column pay_method.decimals is 'Digits after the point that an amount of the coin may have.';

create table order_quote (
  id text primary key default gen_random_uuid()::text,
  member_id text not null references member,
  pay_method text not null check (char_length(pay_method) <= 40),
  amount numeric(38, 18) not null check (amount > 0),
  rate numeric(38, 18) not null check (rate > 0),
  fab_qty numeric(38, 18) not null check (fab_qty > 0),
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  used_at timestamptz(3)
);
create index order_quote_by_created on order_quote (created_at);
comment on table order_quote is 'A price promised to one member until it expires, for one order.';

alter table token_order
  add column reference text not null default upper(substr(md5(gen_random_uuid()::text), 1, 10)) unique
    check (char_length(reference) = 10),
  add column rate numeric(38, 18) check (rate > 0),
  add column pay_chain pay_chain,
  add column receiving_address text not null default '' check (char_length(receiving_address) <= 128),
  add column tx_id text not null default '' check (char_length(tx_id) <= 128);
comment on column token_order.reference is 'What a payer writes beside the payment and support asks for: ten random hexadecimal digits.';
comment on column token_order.rate is 'The rate of the quote it was placed with.';
comment on column token_order.receiving_address is 'Where it is to be paid, as it was when the order was placed: a later change of the settings does not move it.';
comment on column token_order.tx_id is 'The transaction that the member says has paid it. Not proved.';

create table order_step (
  id bigint generated always as identity primary key,
  order_id text not null references token_order on delete cascade,
  kind order_step_kind not null,
  by_member_id text references member,
  at timestamptz(3) not null default now()
);
create index order_step_by_order on order_step (order_id, id);
comment on table order_step is 'What happened to an order after it was placed, when and by whom.';

insert into order_step (order_id, kind, at)
select id, status::text::order_step_kind, updated_at from token_order where status <> 'pending';

create table idempotency_key (
  member_id text not null references member on delete cascade,
  key_hash text not null,
  body_hash text not null,
  answer jsonb,
  created_at timestamptz not null default now(),
  primary key (member_id, key_hash)
);
create index idempotency_key_by_created on idempotency_key (created_at);
comment on table idempotency_key is 'Calls that a client named, so that sending one again does nothing twice. Kept for 24 hours.';
