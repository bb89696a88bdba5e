-- The console lists all orders by time, amount or deadline, and finds them by what is known of them. Both directions of an
-- order are read from one index, so its columns have one direction.

create index token_order_by_amount on token_order (coalesce(amount, -1), id);
create index token_order_by_deadline on token_order (coalesce(pay_before, 'infinity'), id);
create index token_order_by_status on token_order (status, created_at, id);
create index token_order_by_coin on token_order (lower(coalesce(currency, pay_method)), created_at, id);
create index token_order_by_reference on token_order (reference text_pattern_ops);
create index token_order_by_tx_key on token_order (tx_key) where tx_key <> '';
create index order_step_by_tx_key on order_step (tx_key) where tx_key <> '';

-- What waits for finance is little of all that there is.
create index token_order_payment_reported on token_order (created_at, id) where status = 'pending' and tx_id <> '';
create index token_order_shared on token_order (created_at, id) where is_tx_shared;
create index token_order_proposed on token_order (created_at, id) where completion_proposed_at is not null;

-- Sums by state, coin and day are read from the index alone.
create index token_order_totals on token_order (created_at) include (status, currency, pay_method, amount, fab_qty);
