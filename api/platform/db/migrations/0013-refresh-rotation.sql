-- Sessions from before cannot be carried on: their cookie has neither the new name nor a token of its own against
-- forged requests. Members sign in once more.
delete from session;

alter table session
  add column previous_refresh_hash text,
  add column xsrf_hash text not null;
comment on column session.refresh_hash is 'Of the newest refresh token. Using it replaces it.';
comment on column session.previous_refresh_hash is 'Of the token that the newest one replaced. Until the newest is used, its answer may have been lost.';

create table spent_refresh_token (
  token_hash text primary key,
  session_id text not null references session on delete cascade,
  spent_at timestamptz not null default now()
);
create index spent_refresh_token_by_session on spent_refresh_token (session_id);
comment on table spent_refresh_token is 'Refresh tokens that were replaced. One that is used later is a copy, and ends its session.';
