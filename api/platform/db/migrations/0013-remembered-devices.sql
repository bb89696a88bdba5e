create table known_device (
  token_hash text not null,
  member_id text not null references member on delete cascade,
  last_used_at timestamptz not null default now(),
  primary key (token_hash, member_id)
);
create index known_device_by_member on known_device (member_id);
comment on table known_device is 'Browsers that signed in before, by the hash of their cookie: limits that others use up never bar them. A new password ends them.';
