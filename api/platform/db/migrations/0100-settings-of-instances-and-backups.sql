alter table program_instance add column settings jsonb not null default '{}';
comment on column program_instance.settings is
  'A keyed hash of each setting that all instances should have alike, by its name: whether two differ, and no value.';

create table backup_run (
  id bigint generated always as identity primary key,
  began_at timestamptz(3) not null,
  done_at timestamptz(3) not null default now(),
  bytes bigint,
  place text not null check (place in ('directory', 'bucket')),
  failure text check (length(failure) <= 60)
);
comment on table backup_run is 'The last backups that the program made, so that it is seen when none comes any more.';
comment on column backup_run.failure is 'The name or code of the error; null where it went well.';
