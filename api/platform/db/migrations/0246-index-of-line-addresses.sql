-- outside a transaction
-- An open line without a reference may show a payment for any order at its address that has about its amount.

create index concurrently if not exists statement_line_by_address on statement_line
  (lower(address), (case when amount ~ '^[0-9]+([.][0-9]+)?$' then amount::numeric end), imported_at)
  where state = 'open' and address <> '';
