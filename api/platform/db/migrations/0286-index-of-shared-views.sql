-- outside a transaction
create index concurrently if not exists console_view_shared on console_view (list) where is_shared;
