-- Tokens by which machines call the API in the name of one of the staff.

create table api_token (
  id text primary key default gen_random_uuid()::text,
  member_id text not null references member on delete cascade,
  name text not null check (name <> '') check (char_length(name) <= 80),
  purpose text not null default '' check (char_length(purpose) <= 300),
  news smallint not null default 0 check (news between 0 and 2),
  employee smallint not null default 0 check (employee between 0 and 2),
  finance smallint not null default 0 check (finance between 0 and 2),
  coins smallint not null default 0 check (coins between 0 and 2),
  is_read_only boolean not null default false,
  addresses text[] not null default '{}' check (cardinality(addresses) <= 20),
  secret_hash text not null unique,
  secret_end text not null check (char_length(secret_end) = 4),
  previous_hash text unique,
  previous_until timestamptz(3),
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  rotated_at timestamptz(3),
  warned_at timestamptz(3),
  last_used_at timestamptz(3),
  last_used_place text,
  last_refused_at timestamptz(3),
  last_refused_place text,
  last_refused_why text check (last_refused_why in ('expired', 'revoked', 'address', 'maker')),
  revoked_at timestamptz(3),
  revoked_by text references member on delete set null,
  revoke_reason text not null default '' check (char_length(revoke_reason) <= 300)
);
create index api_token_of_member on api_token (member_id);
create index api_token_by_creation on api_token (created_at, id);
create index api_token_by_end on api_token (expires_at, id);
create index api_token_revoked_by on api_token (revoked_by) where revoked_by is not null;
comment on table api_token is 'By which machines call the API. What a token may is the lesser of its levels and its maker''s of now. Goes with the maker''s account, and 90 days after its end.';
comment on column api_token.secret_hash is 'SHA-256 of the secret, which is random: 256 bits and shown once.';
comment on column api_token.secret_end is 'The last four characters of the secret, by which people know it.';
comment on column api_token.previous_hash is 'Of the secret before, which serves until previous_until.';
comment on column api_token.addresses is 'Addresses and networks that it may be used from; empty: any.';
comment on column api_token.last_used_place is 'The network of the last use (/24 or /48), noted at most once a minute.';
comment on column api_token.last_refused_why is 'Why it was refused though it is known.';
comment on column api_token.warned_at is 'When its maker was told that it ends soon.';
