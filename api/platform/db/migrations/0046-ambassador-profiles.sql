-- What ambassadors say of themselves, and the addresses of their pages.

alter table ambassador add column reason text not null default '' check (char_length(reason) <= 1000);
comment on column ambassador.reason is 'Why the board hid the profile or ended the ambassadorship.';

create table ambassador_slug (
  slug_hash text primary key,
  used_at timestamptz(3) not null default now()
);
comment on table ambassador_slug is 'Every address that an ambassador''s page ever had, as a keyed hash: none is given to another person, and none tells who was erased.';

create type ambassador_profile_state as enum ('draft', 'submitted', 'returned', 'approved');

create table ambassador_profile (
  id text primary key default gen_random_uuid()::text,
  ambassador_id text not null references ambassador on delete cascade,
  state ambassador_profile_state not null default 'draft',
  name_en text not null default '' check (char_length(name_en) <= 100),
  name_cn text not null default '' check (char_length(name_cn) <= 100),
  place_en text not null default '' check (char_length(place_en) <= 100),
  place_cn text not null default '' check (char_length(place_cn) <= 100),
  sentence_en text not null default '' check (char_length(sentence_en) <= 300),
  sentence_cn text not null default '' check (char_length(sentence_cn) <= 300),
  link text not null default '' check (char_length(link) <= 300),
  languages text[] not null default '{}',
  picture text,
  reason text not null default '' check (char_length(reason) <= 1000),
  submitted_at timestamptz(3),
  decided_at timestamptz(3),
  decided_by text references member,
  updated_at timestamptz(3) not null default now()
);
create unique index ambassador_profile_approved on ambassador_profile (ambassador_id) where state = 'approved';
create unique index ambassador_profile_in_work on ambassador_profile (ambassador_id) where state <> 'approved';
create index ambassador_profile_waiting on ambassador_profile (submitted_at, id) where state = 'submitted';
create index ambassador_profile_picture on ambassador_profile (picture) where picture is not null;
comment on table ambassador_profile is 'What is public (approved), and beside it what the ambassador writes next (draft, submitted, or returned with a reason).';
comment on column ambassador_profile.picture is 'The name of the stored picture.';
