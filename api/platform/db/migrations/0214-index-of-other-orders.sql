-- outside a transaction
create index concurrently if not exists statement_line_other_orders on statement_line using gin (other_order_ids)
  where other_order_ids <> '{}';
