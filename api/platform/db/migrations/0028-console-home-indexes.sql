-- Figures of the last weeks are read from these alone, however many rows are older.

create index member_by_activation on member (activated_at) where activated_at is not null;
create index kyc_step_by_time on kyc_step (at) include (to_status);
-- What waits for an officer is little of all that there is.
create index kyc_application_waiting on kyc_application (waiting_since) include (assignee_id, member_id)
  where status in ('submitted', 'in_review');
create index lost_factor_waiting on lost_factor (asked_at) where ended_at is null;
create index ambassador_application_waiting on ambassador_application (created_at)
  where status in ('received', 'in_review');
