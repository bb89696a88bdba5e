-- What nobody has taken is counted from its index alone; an officer's own cases are few beside it.

drop index kyc_application_waiting;
create index kyc_application_unassigned on kyc_application (waiting_since)
  include (member_id, deleted_at, final_proposed_by, is_final)
  where status in ('submitted', 'in_review') and assignee_id is null;
create index kyc_application_taken on kyc_application (assignee_id, waiting_since)
  where status in ('submitted', 'in_review') and assignee_id is not null;
