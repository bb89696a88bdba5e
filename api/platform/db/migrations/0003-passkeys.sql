create table passkey (
  id text primary key default gen_random_uuid()::text,
  member_id text not null references member on delete cascade,
  credential_id text not null unique check (char_length(credential_id) <= 1364),
  public_key bytea not null,
  sign_count bigint not null default 0,
  transports jsonb not null default '[]',
  name text not null check (char_length(name) <= 100),
  synced boolean not null default false,
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz
);
create index passkey_by_member on passkey (member_id, created_at);
comment on table passkey is 'A WebAuthn credential: second factor, and sign-in without a password. Only public keys are kept.';
comment on column passkey.sign_count is 'The last count that the authenticator reported. One that does not grow comes from a copy and is refused; 0 is never counted.';
comment on column passkey.synced is 'Whether it is kept beyond one device, as the authenticator says (backup state).';

create type passkey_purpose as enum ('create', 'sign_in', 'second_factor', 'step_up');

create table passkey_challenge (
  challenge_hash text primary key,
  purpose passkey_purpose not null,
  member_id text references member on delete cascade,
  expires_at timestamptz not null,
  check ((member_id is null) = (purpose = 'sign_in'))
);
create index passkey_challenge_by_expiry on passkey_challenge (expires_at);
comment on table passkey_challenge is 'What a browser was asked to sign. Works once, for its purpose and its member; without a member for sign-in, which does not know one yet.';

alter table session
  add column proved_at timestamptz not null default now(),
  add column has_proved_factor boolean not null default false;
comment on column session.proved_at is 'When it last proved by password, code or passkey who holds it: a sign-in or a step-up.';
comment on column session.has_proved_factor is 'Whether it ever proved a second factor. Staff calls demand it besides the account having one.';

-- Who has a second factor was asked for it at sign-in.
update session set has_proved_factor = true
  where exists (select from totp where totp.member_id = session.member_id and totp.confirmed_at is not null);
