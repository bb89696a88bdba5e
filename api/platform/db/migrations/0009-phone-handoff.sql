-- A member goes on with their phone: it may send photos for them, and nothing else.

create table phone_handoff (
  id text primary key default gen_random_uuid()::text,
  member_id text not null unique references member on delete cascade,
  session_id text not null references session on delete cascade,
  link_hash text not null unique,
  secret_hash text unique,
  room integer not null,
  device text not null default '',
  created_at timestamptz not null default now(),
  opened_at timestamptz,
  ended_at timestamptz,
  expires_at timestamptz not null
);
create index phone_handoff_by_session on phone_handoff (session_id);
create index phone_handoff_by_expiry on phone_handoff (expires_at);
comment on table phone_handoff is 'One a member: a new one takes the place of the one before. It goes with the session that made it.';
comment on column phone_handoff.link_hash is 'SHA-256 of what the QR code carries.';
comment on column phone_handoff.secret_hash is 'SHA-256 of what the first browser that opened the link proves itself with.';
comment on column phone_handoff.room is 'How many photos it takes.';

alter table kyc_staged_photo add column handoff_id text references phone_handoff on delete set null;
create index kyc_staged_photo_by_handoff on kyc_staged_photo (handoff_id);
comment on column kyc_staged_photo.handoff_id is 'The hand-off that it came by.';

-- An approval is told to end before it does.

alter table kyc_application add column expiry_told_at timestamptz;
create index kyc_application_by_approval on kyc_application (decided_at) where status = 'approved';
comment on column kyc_application.expiry_told_at is 'When its member was told that the approval will expire.';
