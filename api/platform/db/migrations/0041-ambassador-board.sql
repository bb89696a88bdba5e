-- What staff do with applications of ambassadors, and the links by which applicants see where theirs stands.

alter table ambassador_application
  add column language language not null default 'en',
  add column country_key text check (char_length(country_key) <= 100),
  add column state_at timestamptz(3) not null default now(),
  add column assignee_id text references member on delete set null,
  add column decided_by text references member on delete set null,
  add column reason text not null default '' check (char_length(reason) <= 2000),
  add column is_reason_told boolean not null default false;
update ambassador_application a set
  state_at = updated_at,
  language = coalesce((select m.language from member m where m.email = a.email), 'en');
comment on column ambassador_application.language is 'In which it was sent, and in which its sender is answered.';
comment on column ambassador_application.country_key is 'Two letters where what was typed is known as a country, else that in small letters. Null until a release that knows countries has seen it.';
comment on column ambassador_application.state_at is 'Since when it has its state; of one that waits, when it was sent last.';
comment on column ambassador_application.updated_at is 'When it was changed last, by its sender or by staff: a form that was filled in before is stale.';
comment on column ambassador_application.reason is 'Why it was declined. Its sender reads it in the mail where is_reason_told.';

create type ambassador_step_kind as enum ('in_review', 'assigned', 'released', 'accepted', 'declined');

create table ambassador_step (
  id bigint generated always as identity primary key,
  application_id text not null references ambassador_application on delete cascade,
  at timestamptz(3) not null default now(),
  kind ambassador_step_kind not null,
  by_member_id text references member on delete set null,
  to_member_id text references member on delete set null
);
create index ambassador_step_by_application on ambassador_step (application_id, id);
comment on table ambassador_step is 'What staff did with an application, and who.';
comment on column ambassador_step.to_member_id is 'To whom it was assigned.';

create table ambassador_note (
  id text primary key default gen_random_uuid()::text,
  application_id text not null references ambassador_application on delete cascade,
  author_id text references member on delete set null,
  text text not null check (char_length(text) <= 2000),
  at timestamptz(3) not null default now()
);
create index ambassador_note_by_application on ambassador_note (application_id, at desc, id desc);
comment on table ambassador_note is 'What colleagues noted about an application. Part of its sender''s export.';

create table ambassador_status_link (
  code_hash text primary key,
  application_id text not null references ambassador_application on delete cascade,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null
);
create index ambassador_status_link_by_application on ambassador_status_link (application_id, created_at desc);
create index ambassador_status_link_by_expiry on ambassador_status_link (expires_at);
comment on table ambassador_status_link is 'The mailed links that show state and date of an application to whoever has one.';

-- A name however it is written: case, accents, the order of its words and spaces between Chinese characters do not matter.
create function folded_name(name text) returns text language sql immutable parallel safe as $$
  select coalesce(string_agg(word, ' ' order by word collate "C"), '')
  from regexp_split_to_table(
    regexp_replace(
      regexp_replace(lower(normalize(name, nfkd)), '[\u0300-\u036f''’ʼ`´]', '', 'g'),
      '([\u3400-\u9fff])\s+(?=[\u3400-\u9fff])', '\1', 'g'),
    '[^a-z0-9\u00aa-\U0010ffff]+|[\u00b7\u2000-\u206f\u3000-\u303f\u30fb]+') as word
  where word <> ''
$$;
comment on function folded_name is 'Equal for names that are the same but for case, accents and the order of their words.';

-- What names a profile, as an address or by @; the name of a network alone, which many give, does not.
create function folded_links(given jsonb) returns text[] language sql immutable parallel safe as $$
  select coalesce(array_agg(distinct link), '{}') from (
    select regexp_replace(regexp_replace(lower(btrim(each)), '^(https?://)?(www\.|m\.)?', ''), '[/#?]+$', '') as link
    from jsonb_array_elements_text(case when jsonb_typeof(given) = 'array' then given else '[]' end) as each
  ) links where link ~ '[/@].'
$$;
comment on function folded_links is 'The profiles that an application names, as they are compared with those of others.';

-- The board and the list, in each of their orders.
create index ambassador_application_by_arrival on ambassador_application (created_at, id);
create index ambassador_application_by_change on ambassador_application (state_at, id);
create index ambassador_application_by_state on ambassador_application (status, created_at, id);
create index ambassador_application_open on ambassador_application (created_at, id) where status in ('received', 'in_review');
drop index ambassador_application_waiting;
create index ambassador_application_by_state_and_change on ambassador_application (status, state_at, id);
create index ambassador_application_by_country on ambassador_application (country_key, created_at, id);
create index ambassador_application_by_language on ambassador_application (language, created_at, id);
create index ambassador_application_by_assignee on ambassador_application (assignee_id, created_at, id);
create index ambassador_application_searched on ambassador_application
  using gin (member_grams(lower(full_name || ' ' || email || ' ' || city || ' ' || country)));

-- What several applications share.
create index ambassador_application_by_mailbox on ambassador_application (email_alias(email));
create index ambassador_application_by_email on ambassador_application (email, created_at);
create index ambassador_application_by_name on ambassador_application (folded_name(full_name));
create index ambassador_application_by_links on ambassador_application using gin (folded_links(social_media));
