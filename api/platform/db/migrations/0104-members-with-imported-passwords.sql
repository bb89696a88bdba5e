-- outside a transaction
-- Housekeeping looks whether somebody still has a hash of each kind; without it, that reads every member.

create index concurrently if not exists member_imported_password on member (split_part(password_hash, ':', 2))
  where password_hash like 'imported:%';
