-- What the project says is its own beside what content and settings say, and what it knows as false.

create type known_standing as enum ('false', 'official');
create type known_kind as enum ('domain', 'link', 'email', 'handle', 'phone', 'coin');

create table known_entry (
  id text primary key default gen_random_uuid()::text,
  standing known_standing not null,
  kind known_kind not null,
  value text not null check (char_length(value) <= 300),
  key text not null check (char_length(key) <= 300),
  note text not null check (char_length(note) <= 500),
  evidence text not null check (char_length(evidence) <= 500),
  added_at timestamptz(3) not null default now(),
  added_by text references member,
  updated_at timestamptz(3) not null default now(),
  withdrawn_at timestamptz(3),
  withdrawn_by text references member,
  check (withdrawn_at is not null or withdrawn_by is null)
);
comment on table known_entry is 'What visitors are told belongs to the project, or is false. The entries that are withdrawn stay as what was said.';
comment on column known_entry.key is 'The value as it is compared: however it is spelled, it is in the list once.';
comment on column known_entry.note is 'Public: whoever asks about the entry reads it.';
comment on column known_entry.evidence is 'An address of the web that the staff alone read.';

create unique index known_entry_once on known_entry (key) where withdrawn_at is null;
create index known_entry_by_added on known_entry (added_at desc, id desc);
