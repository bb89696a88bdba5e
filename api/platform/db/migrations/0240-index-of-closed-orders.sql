-- outside a transaction
-- Payments to the address of an order are still noticed for some time after the order was closed.

create index concurrently if not exists order_step_closed on order_step (at)
  where kind in ('completed', 'cancelled', 'unpaid', 'withdrawn');
