-- What ambassadors' invitations bring. Figures and points hold no person; who came by whose invitation stands apart, and goes
-- with the account.

create table invited_member (
  id text primary key default gen_random_uuid()::text,
  member_id text not null references member on delete cascade,
  ambassador_id text not null references ambassador on delete cascade,
  flags text[] not null default '{}' check (flags <@ array['own_mailbox', 'own_browser', 'own_network', 'loop',
    'throwaway_domain', 'subaddress', 'same_mailbox']),
  signed_up_in date not null,
  is_counted boolean not null default false,
  activated_in date,
  identified_in date,
  unique (member_id, ambassador_id)
);
create unique index invited_member_counted_once on invited_member (member_id) where is_counted;
create index invited_member_of_ambassador on invited_member (ambassador_id);
comment on table invited_member is 'Who signed up with whose invitation. Of several, before the address is confirmed, one is counted; the code that activates decides, and the others go. Erased with the member, while the figures stay.';
comment on column invited_member.flags is 'Why it does not count.';
comment on column invited_member.signed_up_in is 'The Monday of the week (UTC) of the sign-up, of the activation and of the approved identity.';

create table invitation_week (
  ambassador_id text not null references ambassador on delete cascade,
  week date not null,
  sign_ups integer not null default 0,
  activations integer not null default 0,
  identities integer not null default 0,
  primary key (ambassador_id, week)
);
comment on table invitation_week is 'How many signed up, activated and were identified in a week, whose Monday it names (UTC).';

create type invitation_cause as enum ('signup', 'activation', 'identity');

create table ambassador_point (
  id text primary key default gen_random_uuid()::text,
  ambassador_id text not null references ambassador on delete cascade,
  member_id text references member on delete set null,
  cause invitation_cause not null,
  occasion integer not null default 1,
  points integer not null,
  week date not null,
  reverses text unique references ambassador_point on delete cascade,
  created_at timestamptz(3) not null default now()
);
create unique index ambassador_point_once on ambassador_point (member_id, cause, occasion) where reverses is null;
create index ambassador_point_of_ambassador on ambassador_point (ambassador_id, week);
comment on table ambassador_point is 'A ledger: entries are appended, once for each cause, and taken back by a further entry. The member goes with their account.';
comment on column ambassador_point.occasion is 'The first time, or a later one after the entry before was taken back.';

create table counted_mailbox (
  mailbox_hash text primary key,
  counted_at timestamptz(3) not null default now()
);
create index counted_mailbox_by_time on counted_mailbox (counted_at);
comment on table counted_mailbox is 'Mailboxes whose activation counted for an ambassador, as keyed hashes, for eight weeks: an account that is erased and made again does not count twice.';
