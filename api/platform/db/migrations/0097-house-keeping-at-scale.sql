-- What house-keeping, the export and staff look for among all members, applications and orders, each by an index of what there is little of.

create index member_erased on member (erased_at) where erased_at is not null;
create index member_never_proved on member (created_at)
  where not active and password_hash is null and closed_at is null and erased_at is null;
create index member_finance_officers on member (id) where manage_finance >= 2;

create index kyc_application_deleted on kyc_application (deleted_at) where deleted_at is not null;
create index kyc_application_with_voice on kyc_application (id)
  where final_proposed_by is not null or approval_proposed_by is not null or final_lift_proposed_by is not null;

create index token_order_by_eth on token_order (lower(eth_address), created_at desc, id desc);
