-- Pending orders are few among all: in any other order than by time they are read from indexes of their own, and so are those of
-- one coin by amount. Otherwise what is rare is looked for through all orders.

create index token_order_pending_by_amount on token_order (coalesce(amount, -1), id) where status = 'pending';
create index token_order_pending_by_deadline on token_order (coalesce(pay_before, 'infinity'), id) where status = 'pending';
create index token_order_coin_by_amount
  on token_order (lower(coalesce(currency, pay_method)), coalesce(amount, -1), id);
