-- outside a transaction
-- What is under way at an endpoint is found without what waits for it.

create index concurrently if not exists webhook_delivery_claimed on webhook_delivery (endpoint_id, claimed_until) where state = 'waiting' and claimed_until is not null;
