-- What editors change of the content: drafts, what was published over the files, every version of it, and what waits for its
-- time or for a second person.

create table content_file_value (
  piece text primary key check (char_length(piece) <= 100),
  hash text not null,
  value json not null
);
comment on table content_file_value is 'What the files of the release that started last say, piece by piece: commands compare with it.';

create type content_release_state as enum
  ('proposed', 'scheduled', 'published', 'cancelled', 'declined', 'overtaken', 'expired', 'failed');
create table content_release (
  id text primary key default gen_random_uuid()::text,
  state content_release_state not null,
  pieces jsonb not null,
  changes jsonb not null,
  sensitive text[] not null default '{}',
  new_versions text[] not null default '{}',
  publish_at timestamptz(3),
  publish_zone text check (char_length(publish_zone) <= 64),
  proposed_by text not null references member,
  proposed_at timestamptz(3) not null default now(),
  confirmed_by text references member,
  ended_at timestamptz(3),
  ended_by text references member,
  reason text not null default '' check (char_length(reason) <= 500),
  check ((ended_at is null) = (state in ('proposed', 'scheduled'))),
  check (state <> 'scheduled' or (publish_at is not null and publish_zone is not null)),
  check (confirmed_by <> proposed_by)
);
create index content_release_due on content_release (publish_at) where state = 'scheduled';
create index content_release_by_time on content_release (proposed_at, id);
create index content_release_waiting on content_release (proposed_at, id) where ended_at is null;
comment on table content_release is 'Pieces that are published together: at a time, or once a second person confirms it.';
comment on column content_release.pieces is 'Each piece with the number of its draft; a draft that changed meanwhile is not published.';
comment on column content_release.changes is 'What differed from what was published, when it was proposed.';

create table content_piece (
  piece text primary key check (char_length(piece) <= 100),
  n integer not null default 0,
  override json,
  outdated text[] not null default '{}',
  is_left_out boolean not null default false,
  published_at timestamptz(3),
  published_by text references member,
  release_id text references content_release
);
create index content_piece_by_release on content_piece (release_id) where release_id is not null;
comment on table content_piece is 'What is edited and published as one. It has a row once somebody changed it.';
comment on column content_piece.n is 'Counts every change of its draft and of what is published.';
comment on column content_piece.override is 'What was published over the file: changed texts by language and key, or a whole value. Null: as the file says.';
comment on column content_piece.outdated is 'Places that a newer release says otherwise than when they were published here.';
comment on column content_piece.release_id is 'The release of it that waits.';

create table content_draft (
  piece text not null check (char_length(piece) <= 100),
  place text not null check (char_length(place) <= 120),
  value json not null,
  n integer not null,
  saved_by text references member,
  saved_at timestamptz(3) not null default now(),
  primary key (piece, place)
);
comment on table content_draft is 'What somebody changed of a piece and did not publish, place by place.';

create type content_origin as enum ('file', 'console', 'command');
create table content_version (
  id bigint generated always as identity primary key,
  piece text not null check (char_length(piece) <= 100),
  n integer not null,
  value json not null,
  changes jsonb not null,
  at timestamptz(3) not null default now(),
  by_member_id text references member,
  confirmed_by_member_id text references member,
  origin content_origin not null,
  restored_id bigint,
  new_versions text[] not null default '{}'
);
create index content_version_by_piece on content_version (piece, id);
comment on table content_version is 'What was published of each piece, whole, the newest hundred of each. Never changed.';
comment on column content_version.changes is 'What it changed: path, from, to.';

create table content_legal_version (
  document legal_document not null,
  version text not null check (version ~ '^\d{4}-\d\d-\d\d(\.\d{1,3})?$'),
  at timestamptz(3) not null default now(),
  by_member_id text references member,
  primary key (document, version)
);
comment on table content_legal_version is 'Versions of the legal texts that were published in the console. The newest, or that of the files, is the current one.';

create type content_file_kind as enum ('document', 'picture');
create table content_file (
  name text primary key check (char_length(name) <= 100),
  kind content_file_kind not null,
  bytes integer not null check (bytes > 0),
  used_at timestamptz(3) not null default now()
);
create index content_file_by_use on content_file (used_at);
comment on table content_file is 'Files of the store that content names. Recorded before they are written, so that a crash leaves a name to clean up.';

create table content_preview (
  token_hash text primary key,
  member_id text not null references member on delete cascade,
  session_id text not null references session on delete cascade,
  expires_at timestamptz(3) not null
);
create index content_preview_of_member on content_preview (member_id, expires_at);
create index content_preview_by_session on content_preview (session_id);
create index content_preview_by_end on content_preview (expires_at);
comment on table content_preview is 'Addresses under which an editor sees drafts as pages, by the SHA-256 of their secret.';
