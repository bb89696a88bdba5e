-- outside a transaction
-- An address that an order was ever paid at is given to no other.

create index concurrently if not exists token_order_by_address on token_order (lower(receiving_address))
  where receiving_address <> '';
