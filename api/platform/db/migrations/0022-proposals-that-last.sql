-- What one officer proposes about a case outlives its deletion, and an approval can take two of them.

alter table kyc_application
  add column final_proposed_reason text not null default '' check (char_length(final_proposed_reason) <= 2000),
  add column approval_proposed_by text references member,
  add column approval_proposed_at timestamptz,
  add column fingerprint_version integer not null default 0;
create index kyc_application_by_open_proposal on kyc_application (waiting_since, id)
  where final_proposed_by is not null and deleted_at is not null;
create index kyc_application_by_fingerprints on kyc_application (id)
  where deleted_at is null and full_name <> '';
comment on column kyc_application.final_proposed_reason is 'Why the first officer proposes to refuse it for good. It stays with the proposal when the applicant deletes the rest.';
comment on column kyc_application.approval_proposed_by is 'The first of the two officers that an approval takes where something was handed in with an application that was refused for good.';
comment on column kyc_application.fingerprint_version is 'By which rules its fingerprints were made. Those of earlier rules are made anew while the application can be read.';

-- Until now the reason of a proposal was the end of the private note.
update kyc_application set final_proposed_reason = right(note, 2000)
  where final_proposed_by is not null and not is_final;
-- What was destroyed holds no proposal: it must not come back into the queue.
update kyc_application a set final_proposed_by = null, final_proposed_at = null, final_proposed_reason = ''
  where deleted_at is not null and not is_final and final_proposed_by is not null
    and not exists (select from kyc_fingerprint where application_id = a.id);
-- A mark made while a question was open may stand for what another list has named since.
update kyc_application set screening_read_at = null, screening_read_by = null
  where status in ('submitted', 'in_review', 'more_info') and round > 1 and screening_read_at < waiting_since;
update kyc_application set screening_read_at = null, screening_read_by = null
  where status = 'more_info' and screening_read_at is not null;

alter table kyc_fingerprint drop constraint kyc_fingerprint_kind_check;
alter table kyc_fingerprint add constraint kyc_fingerprint_kind_check
  check (kind in ('document', 'ethAddress', 'btcAddress', 'email', 'name', 'nameAndBirth'));

-- As the column of that name has it, for addresses that stand elsewhere.
create function email_alias(email text) returns text language sql immutable as $$
  select case when split_part(lower(email), '@', 2) in ('gmail.com', 'googlemail.com')
    then replace(split_part(split_part(lower(email), '@', 1), '+', 1), '.', '') || '@gmail.com'
    else split_part(split_part(lower(email), '@', 1), '+', 1) || '@' || split_part(lower(email), '@', 2)
  end
$$;
