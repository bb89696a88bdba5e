-- A payment that finance recorded without a transaction is seen when it waits too long, also where it was recorded before.

update token_order set reported_at = coalesce(
    (select max(at) from order_step where order_id = token_order.id and kind = 'payment_recorded'),
    updated_at)
where status = 'pending' and reported_at is null and (coalesce(paid_amount, 0) > 0 or paid_at is not null);
