-- outside a transaction
-- Emails of some days are anywhere in the order of changes, and members who joined on some days are anywhere in the order
-- of sign-ins. These indexes contain the days, so that other rows aren't read.
create index concurrently if not exists mail_by_change on mail (changed_at, id, created_at);
drop index concurrently if exists mail_listed_by_change;
drop index concurrently if exists mail_changed_late;
create index concurrently if not exists member_summary_by_kyc_and_sign_in_with_joining
  on member_summary (kyc_state, last_sign_in_at, id, joined_at) where kyc_state is not null;
drop index concurrently if exists member_summary_by_kyc_and_sign_in;
