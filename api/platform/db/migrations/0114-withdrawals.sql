-- Members may withdraw from an order within some days (Regulation (EU) 2023/1114, article 13). The withdrawal is a record beside
-- the order, whose own states mean what they meant.

alter type order_step_kind add value 'withdrawal_requested' after 'payment_recorded';
alter type order_step_kind add value 'withdrawal_accepted' after 'withdrawal_requested';
alter type order_step_kind add value 'withdrawal_refused' after 'withdrawal_accepted';
alter type order_step_kind add value 'refunded' after 'withdrawal_refused';
alter type order_step_kind add value 'withdrawal_proposed';

create type withdrawal_state as enum ('requested', 'accepted', 'refused', 'refunded', 'unpaid');

create table order_withdrawal (
  id text primary key default gen_random_uuid()::text,
  order_id text not null unique references token_order on delete cascade,
  reference text not null default upper(substr(md5(gen_random_uuid()::text), 1, 10)) unique
    check (char_length(reference) = 10),
  state withdrawal_state not null,
  requested_at timestamptz(3) not null default now(),
  until_at timestamptz(3) not null,
  refund_before timestamptz(3) not null,
  refund_address text not null default '' check (char_length(refund_address) <= 128),
  note text not null default '' check (char_length(note) <= 500),
  reason text not null default '' check (char_length(reason) <= 500),
  decided_by text references member,
  decided_at timestamptz(3),
  refund_amount numeric(38, 18) check (refund_amount > 0),
  refund_currency text not null default '' check (char_length(refund_currency) <= 10),
  refund_tx_id text not null default '' check (char_length(refund_tx_id) <= 128),
  refund_paid_on date,
  refunded_by text references member,
  refunded_at timestamptz(3),
  proposed_by text references member,
  proposed_at timestamptz(3),
  proposal jsonb,
  updated_at timestamptz(3) not null default now(),
  constraint order_withdrawal_proposal check ((proposed_by is null) = (proposal is null) and (proposed_by is null) = (proposed_at is null)),
  constraint order_withdrawal_refund check ((state = 'refunded') = (refund_amount is not null))
);
create index order_withdrawal_by_requested on order_withdrawal (requested_at, id);
create index order_withdrawal_by_due on order_withdrawal (refund_before, id);
create index order_withdrawal_open on order_withdrawal (refund_before) where state in ('requested', 'accepted');
create index order_withdrawal_by_refund on order_withdrawal (lower(refund_tx_id)) where refund_tx_id <> '';
create index order_withdrawal_by_reference on order_withdrawal (reference text_pattern_ops);

comment on table order_withdrawal is 'A member’s withdrawal from an order: one at most for each.';
comment on column order_withdrawal.reference is 'What receipt, finance and support call it: ten random hexadecimal digits.';
comment on column order_withdrawal.until_at is 'When it would have been too late, as the settings were at the request.';
comment on column order_withdrawal.refund_before is 'The end of the last day to refund what was paid.';
comment on column order_withdrawal.refund_address is 'Where to, as the member asked; empty for the account that the payment came from.';
comment on column order_withdrawal.note is 'What the member wrote with it. Reasons are never asked for.';
comment on column order_withdrawal.reason is 'What finance said about its decision or refund. The member reads it.';
comment on column order_withdrawal.refund_paid_on is 'The day on which it was sent, as finance found it.';
comment on column order_withdrawal.proposal is 'What the first of two would do: the act, its reason, and of a refund the amount, coin, transaction and day.';
