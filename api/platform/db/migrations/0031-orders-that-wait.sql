-- Orders that cannot be paid yet have no deadline, finance is told of reported payments that wait too long, and the start of the
-- sale is known.

alter type order_step_kind add value 'payable' after 'deadline_extended';

alter table token_order
  add column reported_at timestamptz(3),
  add column long_wait_told_at timestamptz(3),
  add column not_payable_told_at timestamptz(3);
comment on column token_order.reported_at is 'Since when a payment is reported for it. Another transaction instead does not change it.';
comment on column token_order.long_wait_told_at is 'When finance was mailed that a reported payment waits too long.';
comment on column token_order.not_payable_told_at is 'When staff were mailed that it waits for an address or an amount.';

update token_order set reported_at = coalesce(
    (select min(at) from order_step where order_id = token_order.id and kind in ('payment_reported', 'reported_late')),
    updated_at)
where tx_id <> '';
-- Nobody could pay these: their time begins with their address.
update token_order set pay_before = null, reminded_at = null
where status = 'pending' and tx_id = '' and (receiving_address = '' or amount is null);

create index token_order_waits_long on token_order (reported_at, id) where status = 'pending' and tx_id <> '';
create index token_order_not_payable on token_order (created_at, id)
  where status = 'pending' and tx_id = '' and (receiving_address = '' or amount is null);

alter table sale add column opened_at timestamptz(3);
comment on column sale.opened_at is 'When it was last opened. Null if never, or before this release: then long ago.';
