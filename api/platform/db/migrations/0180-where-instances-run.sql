-- By this, another instance tells whether one that stopped beating is really gone, and can free what it had claimed.

alter table program_instance
  add column machine text,
  add column pid integer,
  add column steady_since timestamptz(3) not null default now();
comment on column program_instance.machine is 'The boot and the process namespace of its machine; null where the system does not name them.';
comment on column program_instance.pid is 'Its process ID on that machine.';
comment on column program_instance.steady_since is 'Since when it has beaten without a gap. After a database outage no instance judges the others before it has been steady again.';
