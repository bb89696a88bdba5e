-- outside a transaction
create index concurrently if not exists chain_address_by_address on chain_address (lower(address));
