-- outside a transaction
create index concurrently if not exists order_withdrawal_proposed on order_withdrawal (proposed_at) where proposed_at is not null;
