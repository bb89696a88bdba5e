-- outside a transaction
-- What one finance member completed alone, within a day.

create index concurrently if not exists order_step_alone on order_step (by_member_id, at)
  where alone_quantity is not null;
