-- outside a transaction
-- Completed orders whose payment left the chain are counted on the console's home page: there are few, among all that were ever paid.

create index concurrently if not exists chain_payment_gone on chain_payment (order_id) where is_gone;
