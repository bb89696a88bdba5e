-- Orders have a deadline, members may withdraw them, and no two share a transaction unseen.

alter type order_step_kind add value 'entered';
alter type order_step_kind add value 'reported_late';
alter type order_step_kind add value 'unpaid';
alter type order_step_kind add value 'withdrawn';
alter type order_step_kind add value 'address_given';
alter type order_step_kind add value 'corrected';
alter type order_step_kind add value 'transaction_shared';

alter table order_step
  add column reason text not null default '' check (char_length(reason) <= 500);
comment on column order_step.reason is 'Why, in the words of whoever did it. The member reads it, except that of a shared transaction.';

alter table token_order
  add column pay_before timestamptz(3),
  add column reminded_at timestamptz(3),
  add column is_reported_late boolean not null default false,
  add column tx_key text not null default '' check (char_length(tx_key) <= 128),
  add column is_tx_shared boolean not null default false;
comment on column token_order.pay_before is 'When a pending order without a reported payment is cancelled. Pending orders of a release without deadlines get theirs from the program at its next start, counted from then.';
comment on column token_order.reminded_at is 'When the member was reminded of the deadline.';
comment on column token_order.is_reported_late is 'A payment was reported after the order was cancelled. It changes nothing but waits for finance.';
comment on column token_order.tx_key is 'The transaction as it is compared: without case, spaces and 0x.';
comment on column token_order.is_tx_shared is 'Another order has the same transaction, and finance confirmed it with a reason, or it was so before this release.';

update token_order set tx_key = regexp_replace(lower(regexp_replace(tx_id, '\s', '', 'g')), '^(0x)+', '')
where tx_id <> '';
update token_order set is_tx_shared = true
where tx_key <> '' and exists (
  select from token_order earlier
  where earlier.tx_key = token_order.tx_key and (earlier.created_at, earlier.id) < (token_order.created_at, token_order.id));

create unique index token_order_by_transaction on token_order (tx_key) where tx_key <> '' and not is_tx_shared;
create index token_order_sharing_transaction on token_order (tx_key) where is_tx_shared;
create index token_order_unpaid on token_order (pay_before) where status = 'pending' and tx_id = '';
create index token_order_reported_late on token_order (created_at) where is_reported_late;
