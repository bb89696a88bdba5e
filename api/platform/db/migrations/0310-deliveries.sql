-- A delivery is a part of the tokens of a completed order, with the time at which it is due. Whether it waits, is due, or
-- is on hold follows from facts; only what people do is stored.
alter type order_step_kind add value 'address_changed' after 'address_given';
alter type order_step_kind add value 'deliveries_created';
alter type order_step_kind add value 'delivery_held';
alter type order_step_kind add value 'delivery_released';

-- Nothing is sent to a changed address before this time, so that its owner can react. Stored, because they are told it.
alter table token_order add column address_usable_from timestamptz(3);

create table delivery (
  id text primary key default gen_random_uuid()::text,
  order_id text not null references token_order on delete cascade,
  -- A letter that is no hexadecimal digit comes first: spreadsheets would take 0012345678 or 12345E6789 for a number.
  reference text not null default 'T' || upper(substr(md5(gen_random_uuid()::text), 1, 9)) unique check (char_length(reference) = 10),
  tranche integer not null check (tranche between 1 and 240),
  amount numeric(38, 18) not null check (amount > 0),
  due_at timestamptz(3) not null,
  held_at timestamptz(3),
  hold_reason text not null default '' check (char_length(hold_reason) <= 500),
  -- Released by finance, also after the owner's account was erased.
  released_at timestamptz(3),
  -- Whether a payout run has it, kept by the items of runs, so that open deliveries have an index.
  is_in_run boolean not null default false,
  cancelled_at timestamptz(3),
  cancel_cause text check (cancel_cause in ('refunded', 'corrected')),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint delivery_hold check ((held_at is null) = (hold_reason = '')),
  constraint delivery_cancelled check ((cancelled_at is null) = (cancel_cause is null)),
  constraint delivery_in_run check (not is_in_run or cancelled_at is null)
);
create unique index delivery_of_order on delivery (order_id, tranche) where cancelled_at is null;
create index delivery_of_order_in_time on delivery (order_id, due_at);
create index delivery_by_due on delivery (due_at, id);
create index delivery_open_by_due on delivery (due_at, id) where cancelled_at is null and not is_in_run;
create index delivery_cancelled_by_due on delivery (due_at, id) where cancelled_at is not null;
