-- outside a transaction
-- A late report of a canceled order is flagged after a week, too, so the index includes canceled orders with a report that finance has not resolved.
create index concurrently if not exists token_order_report_open on token_order (reported_at, id)
  where reported_at is not null
    and (status = 'pending' or (status = 'cancelled' and (is_reported_late or is_disputed)));
drop index concurrently if exists token_order_waits_long;
