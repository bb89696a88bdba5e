-- Applicants are compared with lists by name and date of birth, and an officer reads what came of it.

alter table kyc_application
  add column date_of_birth text not null default ''
    check (char_length(date_of_birth) <= 10 and date_of_birth ~ '^([0-9]{4}-[0-9]{2}-[0-9]{2})?$'),
  add column screened_list_hash text,
  add column screening_hash text,
  add column possible_matches integer,
  add column screening_read_at timestamptz(3),
  add column screening_read_by text references member;
create index kyc_application_by_matches on kyc_application (created_at, id)
  where possible_matches > 0 and deleted_at is null;

comment on column kyc_application.date_of_birth is 'ISO 8601; empty where it was not asked for.';
comment on column kyc_application.screened_list_hash is 'The lists that the applicant was last compared with. Null: not compared since name or date of birth changed.';
comment on column kyc_application.screening_hash is 'What the last comparison found. An officer marks exactly this as read.';
comment on column kyc_application.possible_matches is 'How many entries of the lists are alike.';
comment on column kyc_application.screening_read_at is 'When an officer read what the comparison found. Null again when a later one finds something else.';

-- What was found about another name or date of birth says nothing about this one, whoever writes the row.
create function forget_screening() returns trigger language plpgsql as $$
begin
  new.screened_list_hash := null;
  new.screening_hash := null;
  new.possible_matches := null;
  new.screening_read_at := null;
  new.screening_read_by := null;
  return new;
end $$;

create trigger kyc_screening_forgotten before update on kyc_application for each row
  when ((old.full_name, old.last_name, old.date_of_birth) is distinct from (new.full_name, new.last_name, new.date_of_birth))
  execute function forget_screening();
