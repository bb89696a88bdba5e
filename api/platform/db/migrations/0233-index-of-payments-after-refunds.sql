-- outside a transaction
-- The list of orders with unexpected payments finds the few refunded orders that were paid again.
create index concurrently if not exists order_withdrawal_paid_again on order_withdrawal (order_id) where is_paid_again;
