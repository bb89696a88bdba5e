-- outside a transaction
-- Staff find the orders of a wallet by its address, in any spelling.

create index concurrently if not exists token_order_by_fab
  on token_order (lower(fab_address)) where fab_address <> '';

create index concurrently if not exists token_order_by_btc
  on token_order (lower(btc_address)) where btc_address <> '';

create index concurrently if not exists order_withdrawal_by_refund_address
  on order_withdrawal (lower(refund_address)) where refund_address <> '';
