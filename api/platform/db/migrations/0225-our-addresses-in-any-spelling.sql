-- outside a transaction
-- No refund is sent to an account of ours, however it is spelled.

create index concurrently if not exists token_order_by_spelled_address
  on token_order (regexp_replace(lower(receiving_address), '[^[:alnum:]]', '', 'g'))
  where receiving_address <> '';
