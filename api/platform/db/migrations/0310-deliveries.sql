-- A delivery is a part of the tokens of a completed order, with the time at which it is due. Whether it waits, is due, or
-- is on hold follows from facts; only what people and the chain do is stored.
alter type order_step_kind add value 'address_changed' after 'address_given';

-- The vesting plan as it was agreed. Null: all tokens at once.
alter table order_quote add column vesting jsonb;
alter table token_order add column vesting jsonb;
-- Nothing is sent to a changed address before this time, so that its owner can react. Stored, because they are told it.
alter table token_order add column address_usable_from timestamptz(3);

create table delivery (
  id text primary key default gen_random_uuid()::text,
  order_id text not null references token_order on delete cascade,
  reference text not null default upper(substr(md5(gen_random_uuid()::text), 1, 10)) unique check (char_length(reference) = 10),
  tranche integer not null check (tranche between 1 and 240),
  amount numeric(38, 18) not null check (amount > 0),
  due_at timestamptz(3) not null,
  held_at timestamptz(3), held_by text references member,
  hold_reason text not null default '' check (char_length(hold_reason) <= 500),
  -- Released by finance, also after the owner's account was erased.
  released_at timestamptz(3), released_by text references member,
  cancelled_at timestamptz(3),
  cancel_cause text check (cancel_cause in ('refunded', 'corrected')),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint delivery_hold check ((held_at is null) = (hold_reason = '')),
  constraint delivery_cancelled check ((cancelled_at is null) = (cancel_cause is null))
);
create unique index delivery_of_order on delivery (order_id, tranche) where cancelled_at is null;
create index delivery_of_order_in_time on delivery (order_id, due_at);
create index delivery_by_due on delivery (due_at, id);
create index delivery_open_by_due on delivery (due_at, id) where cancelled_at is null;
