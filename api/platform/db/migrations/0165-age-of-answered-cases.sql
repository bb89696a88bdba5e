-- An answered case keeps its age: it has waited since it was first handed in. Decided ones stay as they were counted.
update kyc_application set resubmitted_at = null
  where resubmitted_at is not null and status in ('submitted', 'in_review', 'more_info');

comment on column kyc_application.resubmitted_at is
  'Set by earlier releases, which counted the age of a case from its last answer. No longer written.';
comment on column kyc_application.waiting_since is 'When it was first handed in.';
