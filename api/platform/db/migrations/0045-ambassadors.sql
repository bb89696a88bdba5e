-- Who is an ambassador.

create table ambassador (
  id text primary key default gen_random_uuid()::text,
  application_id text unique references ambassador_application on delete set null,
  email text check (char_length(email) <= 254),
  full_name text not null check (char_length(full_name) <= 200),
  language language not null,
  member_id text unique references member,
  code text not null unique,
  slug text unique,
  position integer,
  since timestamptz(3) not null default now(),
  joined_at timestamptz(3),
  hidden_at timestamptz(3),
  ended_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  check ((member_id is null) = (joined_at is null)),
  check ((email is null) = (member_id is not null))
);
create unique index ambassador_invited on ambassador (email) where member_id is null;
create index ambassador_by_created on ambassador (created_at desc, id desc);
create index ambassador_public on ambassador (position, id) where slug is not null and hidden_at is null and ended_at is null;
comment on table ambassador is 'Made when an application is accepted. Belongs to a mailbox until its owner joins with an account, and from then on to that account, whatever its address becomes.';
comment on column ambassador.email is 'Where the invitation went, until somebody joined.';
comment on column ambassador.full_name is 'As the application had it. Not public: the profile says the public name.';
comment on column ambassador.code is 'The invitation code that visitors sign up with.';
comment on column ambassador.slug is 'The address of the page, given with the first approval and never changed.';
comment on column ambassador.since is 'When the application was accepted, for the last time if it ended in between.';
