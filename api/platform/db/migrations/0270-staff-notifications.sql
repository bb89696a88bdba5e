-- Which notifications staff receive in the console and by email.
create table staff_notification (
  member_id text primary key references member on delete cascade,
  muted text[] not null default '{}',
  has_digest boolean not null default false,
  digest_sent_on date,
  seen jsonb not null default '{}'
);
comment on table staff_notification is 'Choices of staff. Members without a row have muted nothing and get no daily email.';
comment on column staff_notification.muted is 'Kinds of work that cause no notification.';
comment on column staff_notification.digest_sent_on is 'The day (UTC) of the last daily email, or on which there was nothing to send.';
comment on column staff_notification.seen is 'The number of waiting items by kind when the member last opened the notifications, or fewer if there were fewer since.';

create index staff_notification_with_digest on staff_notification (digest_sent_on) where has_digest;
