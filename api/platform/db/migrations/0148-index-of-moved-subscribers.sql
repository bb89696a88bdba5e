-- outside a transaction
create index concurrently if not exists subscriber_moved on subscriber (id) where is_moved;
