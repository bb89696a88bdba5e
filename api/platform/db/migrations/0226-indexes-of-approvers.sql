-- outside a transaction
-- Few members can approve changes to the sale or to content. Housekeeping counts them every hour.
create index concurrently if not exists member_coins_officers on member (id) where manage_coins >= 2;
create index concurrently if not exists member_editors on member (id)
  where manage_news >= 2 or is_write_access_admin;
