-- News by mail: who gets it, and what was sent to whom.

create type subscriber_state as enum ('pending', 'active', 'ended');
create type subscriber_end as enum ('left', 'bounced', 'removed');
create type news_rhythm as enum ('each', 'weekly');

create table subscriber (
  id text primary key default gen_random_uuid()::text,
  email text not null unique check (char_length(email) <= 254),
  member_id text references member on delete cascade,
  state subscriber_state not null default 'pending',
  language language not null,
  categories text[] not null check (cardinality(categories) > 0),
  rhythm news_rhythm not null,
  link_secret text not null,
  asked_at timestamptz(3) not null default now(),
  code_hash text unique,
  code_until timestamptz,
  mailed_at timestamptz,
  consented_at timestamptz(3),
  consent_wording text,
  consent_way text,
  ended_at timestamptz(3),
  ended_by subscriber_end,
  end_reason text check (char_length(end_reason) <= 1000),
  constraint subscriber_active check (state <> 'active' or consented_at is not null),
  constraint subscriber_ended check ((state = 'ended') = (ended_by is not null) and (state = 'ended') = (ended_at is not null))
);
comment on table subscriber is 'Who gets news by mail, with or without an account. What nobody confirmed, and what has ended, is deleted after some days.';
comment on column subscriber.member_id is 'The account from which it was subscribed; its erasure ends it.';
comment on column subscriber.link_secret is 'Stands in the links of each mail, which open nothing but the subscription. New after it has ended.';
comment on column subscriber.code_hash is 'SHA-256 of the code in the one mail that asks for confirmation.';
comment on column subscriber.mailed_at is 'When it was last mailed because somebody typed the address into the form.';
comment on column subscriber.consent_wording is 'The version of the sentence that was agreed to.';
create index subscriber_listed on subscriber (asked_at, id);
create index subscriber_listed_by_state on subscriber (state, asked_at, id);
create index subscriber_listed_by_language on subscriber (language, asked_at, id);
create index subscriber_by_address on subscriber (email text_pattern_ops);
create index subscriber_of_member on subscriber (member_id);
create index subscriber_sent_to on subscriber (language, rhythm, id) where state = 'active';

create table newsletter_issue (
  id text primary key default gen_random_uuid()::text,
  rhythm news_rhythm not null,
  announcement_id text unique references announcement on delete set null,
  language language not null,
  from_at timestamptz(3),
  until_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  fed_through text not null default '',
  fed_at timestamptz(3),
  queued integer not null default 0,
  sent integer not null default 0,
  failed integer not null default 0,
  stopped integer not null default 0
);
comment on table newsletter_issue is 'One post that goes to subscribers, or the posts of a week. Each is made once, and fed into the outbox in the order of the subscribers.';
comment on column newsletter_issue.from_at is 'Of a digest: the posts that were published after this, up to until_at.';
comment on column newsletter_issue.fed_through is 'The last subscriber who has been seen to; moved in the transaction that writes the mails.';
create unique index newsletter_issue_of_week on newsletter_issue (language, until_at) where rhythm = 'weekly';
create index newsletter_issue_unfed on newsletter_issue (created_at) where fed_at is null;

create table newsletter_mail (
  mail_id text primary key references mail on delete cascade,
  issue_id text not null references newsletter_issue on delete cascade,
  subscriber_id text not null references subscriber on delete cascade,
  outcome mail_state
);
comment on table newsletter_mail is 'Which mail of the outbox is of which issue to whom; goes with the mail.';
comment on column newsletter_mail.outcome is 'What became of it, once the issue has counted it.';
create unique index newsletter_mail_once on newsletter_mail (issue_id, subscriber_id);
create index newsletter_mail_of_subscriber on newsletter_mail (subscriber_id);
create index newsletter_mail_open on newsletter_mail (issue_id) where outcome is null;

create table newsletter_pace (
  is_only boolean primary key default true check (is_only),
  since timestamptz(3) not null default now(),
  fed_at timestamptz not null default now()
);
insert into newsletter_pace default values;
comment on table newsletter_pace is 'Until when mails have been fed, at the pace of the settings, over all instances. Posts from before "since" are mailed to nobody.';
