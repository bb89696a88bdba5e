-- outside a transaction
create index concurrently if not exists token_order_by_assignee on token_order (assignee_id, created_at, id) where assignee_id is not null;
create index concurrently if not exists member_by_assignee on member (assignee_id) where assignee_id is not null;
alter table token_order validate constraint token_order_assignee_id_fkey;
alter table member validate constraint member_assignee_id_fkey;
