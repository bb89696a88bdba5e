-- outside a transaction
create index concurrently if not exists token_order_by_round on token_order (round_id, member_id) include (status);
alter table order_quote validate constraint order_quote_round_fkey;
alter table token_order validate constraint token_order_round_fkey;
alter table withdrawn_price validate constraint withdrawn_price_pay_method_check;
