-- What operators see of the program itself: verifications of the audit log, runs of jobs, and the instances.

create table audit_check (
  id text primary key default gen_random_uuid()::text,
  started_at timestamptz(3) not null default now(),
  started_by text not null references member,
  touched_at timestamptz(3) not null default now(),
  finished_at timestamptz(3),
  total bigint not null default 0,
  checked bigint not null default 0,
  head bytea,
  broken_seq bigint,
  broken_why text check (broken_why in ('changed', 'missing', 'relinked', 'cut')),
  check (broken_seq is null = (broken_why is null))
);
create unique index audit_check_one_at_a_time on audit_check ((true)) where finished_at is null;
create index audit_check_by_start on audit_check (started_at);
create index audit_check_by_starter on audit_check (started_by);
comment on table audit_check is 'Verifications of the whole chain of the audit log, each by an administrator.';
comment on column audit_check.touched_at is 'Written while it runs: one that stands still was interrupted with its instance.';
comment on column audit_check.head is 'The hash of the last entry, where the verification came to its end.';

create table program_instance (
  id text primary key,
  host text not null,
  version text not null,
  node text not null,
  started_at timestamptz(3) not null,
  seen_at timestamptz(3) not null default now()
);
comment on table program_instance is 'The processes of this program that share the database, each writing that it lives.';

create table job_run (
  job text not null,
  instance_id text not null,
  began_at timestamptz(3) not null,
  ms integer not null,
  failure text,
  done_at timestamptz(3),
  primary key (job, instance_id)
);
comment on table job_run is 'The last run of each job by each instance.';
comment on column job_run.failure is 'The name or code of the error; null where it went well.';
comment on column job_run.done_at is 'When it last went well.';

create index mail_failed on mail (created_at) where state = 'failed';
create index member_administrators on member (id) where is_write_access_admin;
