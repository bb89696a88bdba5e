-- Staff share saved views with everyone who can read the list.
alter table console_view add column is_shared boolean not null default false;
comment on column console_view.is_shared is 'Whether everyone who can read the list sees it.';
