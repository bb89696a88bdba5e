-- outside a transaction
-- Finds the orders at whose own addresses a transaction arrived.
create index concurrently if not exists chain_transfer_by_key on chain_transfer ((regexp_replace(tx_id, '^0x', '')));
