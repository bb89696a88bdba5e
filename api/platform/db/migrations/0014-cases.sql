-- Identity cases: rounds of one case, approvals that are withdrawn, and final refusals that outlive their documents.

alter type kyc_state add value 'withdrawn';

alter table kyc_application
  add column resubmitted_at timestamptz(3),
  add column waiting_since timestamptz(3) generated always as (coalesce(resubmitted_at, created_at)) stored not null,
  add column round integer not null default 1,
  add column final_lift_proposed_by text references member,
  add column final_lift_proposed_at timestamptz;
drop index kyc_application_by_state;
create index kyc_application_by_state on kyc_application (status, waiting_since, id);
comment on column kyc_application.waiting_since is 'When it was handed in last.';
comment on column kyc_application.round is 'How often it was handed in: once, and once for each answer to a request for more.';
comment on column kyc_application.final_lift_proposed_by is 'The first of the two officers that it takes to undo a final refusal. Neither of them has decided it.';

alter table kyc_photo
  add column round integer not null default 1,
  add column replaced_in_round integer;
comment on column kyc_photo.round is 'The round of the application that it came with.';
comment on column kyc_photo.replaced_in_round is 'It was refused, and the applicant has answered in this round. It is evidence, and no longer part of what is decided on.';

alter table kyc_step add column earlier jsonb;
comment on column kyc_step.earlier is 'What the applicant had written before, where they changed it with an answer.';

create table kyc_fingerprint (
  application_id text not null references kyc_application on delete cascade,
  kind text not null check (kind in ('document', 'ethAddress', 'btcAddress', 'email', 'name')),
  hash text not null,
  primary key (application_id, kind, hash)
);
create index kyc_fingerprint_by_hash on kyc_fingerprint (hash);
comment on table kyc_fingerprint is 'Keyed hashes of what identifies an applicant. They outlive the documents of a final refusal, or of a proposed one, so that a new application of the same person is recognised.';

-- A decided case is in nobody’s hands, and one that an officer has taken or judged is in review.
update kyc_application set assignee_id = null, assigned_at = null
  where status not in ('submitted', 'in_review') and assignee_id is not null;
with begun as (
  update kyc_application set status = 'in_review', updated_at = now()
  where status = 'submitted' and deleted_at is null and (
    assignee_id is not null
    or exists (select from kyc_photo where application_id = kyc_application.id and verdict <> 'open')
  )
  returning id, assignee_id
)
insert into kyc_step (application_id, from_status, to_status, by_member_id)
  select id, 'submitted', 'in_review', assignee_id from begun;
-- A request for more that a newer application has overtaken is no longer answered, and a proposal counts in its own round only.
update kyc_application set final_proposed_by = null, final_proposed_at = null
  where status not in ('submitted', 'in_review') and not is_final and final_proposed_by is not null;
