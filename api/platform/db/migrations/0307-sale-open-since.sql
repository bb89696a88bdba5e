alter table sale_shown add column state_since timestamptz(3) not null default now();
comment on column sale_shown.state_since is 'When this state was first shown. Reminders are sent once the sale has been open for a while.';
