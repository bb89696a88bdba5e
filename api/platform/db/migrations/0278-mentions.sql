-- Colleagues whom a note mentions.
create table staff_mention (
  id text primary key default gen_random_uuid()::text,
  note_id text not null references staff_note on delete cascade,
  member_id text not null references member on delete cascade,
  at timestamptz(3) not null default now(),
  seen_at timestamptz(3),
  unique (note_id, member_id)
);
comment on table staff_mention is 'Colleagues whom a note mentions, and when they saw it.';
comment on column staff_mention.at is 'When the note was written.';
create index staff_mention_by_member on staff_mention (member_id, at, id);
create index staff_mention_unseen on staff_mention (member_id, at) where seen_at is null;
