-- What members are told in their account, and about which areas they get no emails.
create type notification_area as enum ('identity', 'orders', 'messages', 'security');

create table member_notification (
  id text primary key default gen_random_uuid()::text,
  member_id text not null references member on delete cascade,
  kind text not null,
  area notification_area not null,
  path text not null,
  reference text,
  created_at timestamptz(3) not null default clock_timestamp(),
  seen_at timestamptz(3)
);
comment on table member_notification is
  'What a member is told in the account. A row is written in the transaction that writes the email that says the same.';
comment on column member_notification.kind is 'The kind of the email, whose subject is the text.';
comment on column member_notification.path is 'The path of the page to which it leads.';
comment on column member_notification.reference is 'The reference of the order that the text names, as shown.';
create index member_notification_by_member on member_notification (member_id, created_at, id);
create index member_notification_unseen on member_notification (member_id) where seen_at is null;
create index member_notification_by_time on member_notification (created_at);

create table muted_email_area (
  member_id text not null references member on delete cascade,
  area notification_area not null,
  since timestamptz(3) not null default now(),
  primary key (member_id, area)
);
comment on table muted_email_area is 'The areas about which a member chose to get no emails.';
