-- Files on their way into the store, and photos that wait for their application.

create table pending_file (
  file_key text primary key,
  created_at timestamptz not null default now()
);
comment on table pending_file is 'A file that no record stands for (yet): named here before it is written, and let go of in the transaction that refers to it. What is old here is removed from the store.';

create table kyc_staged_photo (
  id text primary key default gen_random_uuid()::text,
  member_id text not null references member,
  file_key text not null unique,
  sealed_data_key bytea not null,
  bytes integer not null,
  created_at timestamptz not null default now()
);
create index kyc_staged_photo_by_member on kyc_staged_photo (member_id);
comment on table kyc_staged_photo is 'Photos sent ahead, one by one, while the form is filled in. They go with the application or after two hours.';
comment on column kyc_staged_photo.sealed_data_key is 'The key of this picture, wrapped by the master key.';
