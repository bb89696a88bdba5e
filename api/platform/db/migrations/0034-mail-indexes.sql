-- The outbox had an index for each filter in each order; several answer what others answer as fast. A mail is written three times on
-- its way, and each index with it.

-- An address is equal in the index of its beginnings, too.
drop index mail_by_address;
-- Failed ones are a part of what is undelivered.
drop index mail_failed;
-- Rare mails of a sort are ordered anew, frequent ones are met soon on the way through all.
drop index mail_by_kind_and_change;
drop index mail_undelivered_by_change;
drop index mail_general;
drop index mail_general_by_change;

-- Mails of some days, in the order of their changes: what was changed late is found apart.
create index mail_changed_late on mail (changed_at, id) where changed_at - created_at >= interval '1 hour';
