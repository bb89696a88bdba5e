-- Whoever joined on some days stands anywhere in the order of sign-ins: the index itself tells who did, so that the rows of
-- others are not read.
create index member_summary_by_sign_in_with_joining on member_summary (last_sign_in_at, id, joined_at);
create index member_summary_inactive_by_sign_in_with_joining on member_summary (last_sign_in_at, id, joined_at) where not is_active;
create index member_summary_with_factor_by_sign_in_with_joining on member_summary (last_sign_in_at, id, joined_at) where has_factor;
drop index member_summary_by_sign_in, member_summary_inactive_by_sign_in, member_summary_with_factor_by_sign_in;
