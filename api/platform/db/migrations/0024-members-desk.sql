-- What staff see and note about one member: sign-ins, notes, and an erasure that the member asked for.

create table sign_in (
  id bigint generated always as identity primary key,
  member_id text not null references member on delete cascade,
  at timestamptz(3) not null default now(),
  device text not null default '',
  has_proved_factor boolean not null
);
create index sign_in_by_member on sign_in (member_id, at desc, id desc);
create index sign_in_by_time on sign_in (at);
comment on table sign_in is 'The sign-ins of the last 180 days, without the network address.';

create type member_note_kind as enum ('note', 'deactivated', 'activated', 'rights', 'export', 'erasure');

create table member_note (
  id text primary key default gen_random_uuid()::text,
  member_id text not null references member on delete cascade,
  kind member_note_kind not null default 'note',
  author_id text references member on delete set null,
  text text not null check (char_length(text) <= 2000),
  at timestamptz(3) not null default now()
);
create index member_note_by_member on member_note (member_id, at desc, id desc);
comment on table member_note is 'What colleagues noted about a member, and why they acted on the account. Part of the member''s export.';

create table erasure_request (
  member_id text primary key references member on delete cascade,
  opened_by text references member on delete set null,
  opened_at timestamptz(3) not null default now(),
  reason text not null check (char_length(reason) <= 2000)
);
comment on table erasure_request is 'An erasure that the member asked staff for and that a second one of them has not carried out yet.';

create index mail_by_address on mail (to_address, created_at desc, id desc);
