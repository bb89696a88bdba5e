alter table staff_notification add column seen_at timestamptz not null default '-infinity';
comment on column staff_notification.seen_at is 'When the items in seen were counted.';
