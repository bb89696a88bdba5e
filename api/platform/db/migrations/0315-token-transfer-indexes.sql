-- outside a transaction
-- One transfer proves one item.
create unique index concurrently if not exists payout_item_transfer on payout_item (transfer_id);
create index concurrently if not exists payout_item_by_address on payout_item (address, amount);
create index concurrently if not exists chain_address_of_token on chain_address (address) where coin = '*token';
create index concurrently if not exists chain_address_of_token_lower on chain_address (lower(address)) where coin = '*token';
create index concurrently if not exists payout_item_by_delivery on payout_item (delivery_id);
create index concurrently if not exists chain_transfer_of_token on chain_transfer (id) where coin = '*token';
alter table payout_item validate constraint payout_item_transfer_fkey;
alter table payout_item validate constraint payout_item_sent;
alter table payout_item validate constraint payout_item_confirmed;
alter table payout_item validate constraint payout_item_assign_reason;
