-- Times that lists are ordered by have milliseconds, as their cursors carry them.
-- Ids are opaque text made by the database. Times are timestamptz. Secrets are kept as SHA-256 hashes only.

create type language as enum ('en', 'cn');
create type announcement_state as enum ('draft', 'scheduled', 'published', 'deleted');
create type order_state as enum ('pending', 'completed', 'cancelled');
create type kyc_state as enum ('submitted', 'in_review', 'approved', 'rejected', 'more_info', 'expired');
create type ambassador_state as enum ('received', 'in_review', 'accepted', 'declined');
create type mail_state as enum ('waiting', 'sent', 'failed');

create table app (
  id text primary key,
  name text not null,
  full_name text not null unique,
  coins jsonb not null default '[]',
  docs jsonb not null default '[]',
  contact text not null default ''
);
comment on table app is 'The public record of the application, answered by apps/findOne.';

create table member (
  id text primary key default gen_random_uuid()::text,
  email text not null unique check (email = lower(email) and char_length(email) <= 254),
  password_hash text,
  password_length_ok_for_staff boolean not null default false,
  display_name text not null default '' check (char_length(display_name) <= 100),
  first_name text not null default '' check (char_length(first_name) <= 100),
  mid_name text not null default '' check (char_length(mid_name) <= 100),
  last_name text not null default '' check (char_length(last_name) <= 100),
  home_phone text not null default '' check (char_length(home_phone) <= 40),
  work_phone text not null default '' check (char_length(work_phone) <= 40),
  mobile text not null default '' check (char_length(mobile) <= 40),
  work_email text not null default '' check (char_length(work_email) <= 254),
  active boolean not null default false,
  personal_member boolean not null default true,
  is_write_access_admin boolean not null default false,
  manage_news smallint not null default 0 check (manage_news between 0 and 2),
  manage_employee smallint not null default 0 check (manage_employee between 0 and 2),
  manage_finance smallint not null default 0 check (manage_finance between 0 and 2),
  manage_coins smallint not null default 0 check (manage_coins between 0 and 2),
  default_merchant_id text,
  language language not null default 'en',
  invitation_code text not null default '',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  erased_at timestamptz
);
create index member_by_created on member (created_at desc, id desc);
comment on table member is 'A person with an account. Without password_hash and with active false until the address is proved.';
comment on column member.password_length_ok_for_staff is 'Whether the password has the length that staff rights demand; the password itself is not known.';

create table sign_up (
  id text primary key default gen_random_uuid()::text,
  member_id text not null references member on delete cascade,
  code_hash text not null unique,
  password_hash text not null,
  password_length_ok_for_staff boolean not null,
  first_name text not null default '',
  last_name text not null default '',
  invitation_code text not null default '',
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  replaced_at timestamptz
);
create index sign_up_by_member on sign_up (member_id, created_at desc);
comment on table sign_up is 'One attempt to sign up. The password stays here until its code is used: of several attempts the one whose code is used decides.';

create table reset_code (
  code_hash text primary key,
  member_id text not null references member on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index reset_code_by_member on reset_code (member_id);

create table email_change (
  member_id text primary key references member on delete cascade,
  new_email text not null,
  code_hash text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
comment on table email_change is 'A new address that waits for the code mailed to it.';

create table session (
  id text primary key default gen_random_uuid()::text,
  member_id text not null references member on delete cascade,
  refresh_hash text not null unique,
  device text not null default '',
  place text not null default '',
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  idle_ms bigint not null,
  expires_at timestamptz not null
);
create index session_by_member on session (member_id);
comment on column session.idle_ms is 'The session ends when it was not used for so many milliseconds.';

create table access_token (
  token_hash text primary key,
  session_id text not null references session on delete cascade,
  expires_at timestamptz not null
);
create index access_token_by_session on access_token (session_id);

create table member_client (
  member_id text not null references member on delete cascade,
  client_hash text not null,
  last_seen_at timestamptz not null default now(),
  primary key (member_id, client_hash)
);
comment on table member_client is 'Clients that signed in before, by keyed hash of their address: strangers elsewhere never lock them out.';

create table totp (
  member_id text primary key references member on delete cascade,
  sealed_secret bytea not null,
  confirmed_at timestamptz,
  last_step bigint not null default 0,
  created_at timestamptz not null default now()
);
comment on column totp.last_step is 'The last time step whose code was accepted: no code works twice (RFC 6238, 5.2).';

create table recovery_code (
  member_id text not null references member on delete cascade,
  code_hash text not null,
  used_at timestamptz,
  primary key (member_id, code_hash)
);

create table throttle (
  key_hash text primary key,
  count integer not null,
  resets_at timestamptz not null
);
create index throttle_by_reset on throttle (resets_at);
comment on table throttle is 'Counters of limits, valid over all instances. Keys are keyed hashes.';

create table mail (
  id text primary key default gen_random_uuid()::text,
  to_address text not null,
  kind text not null,
  sealed_message bytea,
  state mail_state not null default 'waiting',
  attempts integer not null default 0,
  next_try_at timestamptz not null default now(),
  created_at timestamptz(3) not null default now(),
  sent_at timestamptz,
  last_error text
);
create index mail_due on mail (next_try_at) where state = 'waiting';
create index mail_by_created on mail (created_at desc);
comment on table mail is 'The outbox, written in the transaction of the cause. Messages hold codes, so they are sealed, and erased once sent.';

create table audit_entry (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  actor_id text,
  action text not null,
  subject_kind text not null,
  subject_id text,
  detail jsonb not null default '{}'
);
create index audit_entry_by_subject on audit_entry (subject_kind, subject_id);
create index audit_entry_by_actor on audit_entry (actor_id);
comment on table audit_entry is 'Who did what, when. No personal data in detail: names of fields, not their values.';

create table announcement (
  id text primary key default gen_random_uuid()::text,
  title text not null check (char_length(title) <= 200),
  category text not null,
  language language not null,
  content text not null,
  content_summary text not null,
  state announcement_state not null default 'published',
  posted_at timestamptz(3) not null default now(),
  edited_at timestamptz(3),
  created_by text references member on delete set null,
  deleted_at timestamptz,
  deleted_by text references member on delete set null
);
create index announcement_list on announcement (language, posted_at desc, id desc) where state = 'published';

create table token_order (
  id text primary key default gen_random_uuid()::text,
  member_id text not null references member,
  email text not null default '',
  eth_address text not null default '' check (char_length(eth_address) <= 128),
  btc_address text not null default '' check (char_length(btc_address) <= 128),
  fab_address text not null default '' check (char_length(fab_address) <= 128),
  pay_method text not null default '' check (char_length(pay_method) <= 40),
  amount numeric(38, 18) check (amount >= 0),
  fab_qty numeric(38, 18) check (fab_qty >= 0),
  status order_state not null default 'pending',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index token_order_by_member on token_order (member_id, created_at desc, id desc);
create index token_order_by_created on token_order (created_at desc, id desc);
comment on table token_order is 'A purchase of tokens; icotx on the wire.';

create table kyc_application (
  id text primary key default gen_random_uuid()::text,
  member_id text not null references member,
  full_name text not null,
  last_name text not null default '',
  country text not null default '',
  email text not null,
  eth_address text not null default '' check (char_length(eth_address) <= 128),
  btc_address text not null default '' check (char_length(btc_address) <= 128),
  event_id text not null default 'TGE001',
  status kyc_state not null default 'submitted',
  reason text not null default '',
  note text not null default '',
  photo_count integer not null default 0,
  sealed_data_key bytea,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  decided_at timestamptz,
  decided_by text references member,
  deleted_at timestamptz
);
create index kyc_application_by_member on kyc_application (member_id, created_at desc, id desc);
create index kyc_application_by_created on kyc_application (created_at desc, id desc);
create unique index kyc_application_one_open on kyc_application (member_id)
  where status in ('submitted', 'in_review') and deleted_at is null;
comment on column kyc_application.note is 'Private to staff.';
comment on column kyc_application.sealed_data_key is 'The key of its pictures, wrapped by the master key. Without it they are unreadable, in backups too.';

create table kyc_photo (
  application_id text not null references kyc_application on delete cascade,
  n integer not null,
  file_key text not null unique,
  content_type text not null,
  bytes integer not null,
  created_at timestamptz not null default now(),
  primary key (application_id, n)
);

create table kyc_step (
  id bigint generated always as identity primary key,
  application_id text not null references kyc_application on delete cascade,
  from_status kyc_state not null,
  to_status kyc_state not null,
  reason text not null default '',
  by_member_id text references member,
  at timestamptz not null default now()
);
create index kyc_step_by_application on kyc_step (application_id, at);

create table ambassador_application (
  id text primary key default gen_random_uuid()::text,
  email text not null,
  full_name text not null,
  city text not null,
  country text not null,
  social_media jsonb not null default '[]',
  description text not null default '',
  status ambassador_state not null default 'received',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create unique index ambassador_application_one_pending on ambassador_application (email) where status = 'received';
