create table mail_pause (
  is_paused boolean primary key default true check (is_paused),
  paused_at timestamptz(3) not null default now()
);
comment on table mail_pause is 'One row while the delivery of emails is paused in all instances. The audit log says who paused it.';
