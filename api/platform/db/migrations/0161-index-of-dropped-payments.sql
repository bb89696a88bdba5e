-- outside a transaction
-- Orders whose deadline applies again, because their announced payment is gone.

create index concurrently if not exists token_order_dropped on token_order (pay_before)
  where status = 'pending' and payment_dropped_at is not null;
