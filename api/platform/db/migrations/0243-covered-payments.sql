-- What a refund covered when more money was recorded after it, so that a correction can't hide what is still owed.
alter table order_withdrawal
  add column covered_payment numeric,
  add column covering_refund numeric,
  add column covering_currency text check (char_length(covering_currency) <= 10);
update order_withdrawal
  set covered_payment = 0, covering_refund = refund_amount, covering_currency = refund_currency
  where is_paid_again;
comment on column order_withdrawal.is_paid_again is
  'Whether finance ever recorded more money after the refund. Whether the refund covers it depends on both amounts.';
comment on column order_withdrawal.covered_payment is
  'The amount that was recorded as received before finance recorded more after the refund; null if it never did.';
comment on column order_withdrawal.covering_refund is
  'The refund at that time. In another coin than the payment, only a larger refund covers more.';
