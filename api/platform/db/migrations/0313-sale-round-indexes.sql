-- outside a transaction
create index concurrently if not exists token_order_by_round on token_order (round_id, created_at) where round_id is not null;
alter table order_quote validate constraint order_quote_round_fkey;
alter table token_order validate constraint token_order_round_fkey;
