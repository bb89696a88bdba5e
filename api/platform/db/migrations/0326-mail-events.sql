-- Email providers report bounces and complaints.

create table mail_event_source (
  provider text primary key,
  received_at timestamptz(3) not null default now()
);
comment on table mail_event_source is 'When an email provider last reported something, to the minute, so that operators see whether reports arrive.';
