create table sale_reminder (
  id text primary key default gen_random_uuid()::text,
  email text not null unique check (char_length(email) <= 254),
  language language not null,
  link_secret text not null,
  asked_at timestamptz(3) not null default now(),
  confirmed_at timestamptz(3),
  mail_id text
);
comment on table sale_reminder is 'Who asked to be told when the next sale begins. A row is deleted once its email has been sent.';
comment on column sale_reminder.link_secret is 'Part of the links in emails, which confirm and cancel the reminder.';
comment on column sale_reminder.asked_at is 'When the last email that asks for confirmation was written.';
comment on column sale_reminder.mail_id is 'The email that announces the sale, until it has been sent.';
create index sale_reminder_confirmed on sale_reminder (id) where confirmed_at is not null and mail_id is null;
create index sale_reminder_mailed on sale_reminder (mail_id) where mail_id is not null;

create table sale_shown (
  id boolean primary key default true check (id),
  state text not null check (char_length(state) <= 20),
  left_percent numeric(4, 1),
  changed_at timestamptz(3) not null default now()
);
comment on table sale_shown is 'The state of the sale that instances were last told to show, so that each change is announced once.';
comment on column sale_shown.left_percent is 'The share of the cap that is left, rounded down.';
