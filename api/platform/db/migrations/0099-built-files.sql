-- What instances need of one another while two releases are served at once: the files of the pages of both, and to know
-- whether what one stores is found by the other.

create table built_file (
  name text primary key check (name ~ '^[\w.-]{1,100}-[\w-]{7}\.[a-z\d]{2,5}$'),
  form text not null check (form in ('plain', 'br')),
  bytes bytea not null check (octet_length(bytes) <= 4194304),
  sealed_hash bytea not null,
  kept_at timestamptz(3) not null default now()
);
alter table built_file alter bytes set storage external;
create index built_file_kept on built_file (kept_at);
comment on table built_file is 'The scripts, styles and fonts of the releases that ran lately, for pages that browsers got from another instance or before an upgrade.';
comment on column built_file.form is 'Whether the bytes are compressed.';
comment on column built_file.sealed_hash is 'The hash of the bytes, sealed with the master key under the name: nothing else than what an instance was built with is ever served.';
comment on column built_file.kept_at is 'When an instance that was built with it last said so.';

alter table program_instance add marks_store boolean not null default false;
comment on column program_instance.marks_store is 'Whether it has left a file with its id in its store, by which others see that they share it.';
