-- outside a transaction
create index concurrently if not exists statement_line_tx_key on statement_line (tx_key) where tx_key <> '';
