alter table known_device add column has_proved_factor boolean not null default false;
comment on column known_device.has_proved_factor is 'Whether a second factor was given in this browser: wrong codes that are given elsewhere never bar it. A reset through the mailbox alone does not prove one.';
