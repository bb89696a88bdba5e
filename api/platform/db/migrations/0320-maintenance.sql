create table maintenance (
  is_on boolean primary key default true check (is_on),
  since timestamptz not null default now(),
  until timestamptz,
  started_by text references member on delete set null
);
comment on table maintenance is 'Has one row while maintenance is on, during which the product is read-only, and none otherwise.';
comment on column maintenance.until is 'When it is expected to end, as readers are told. It does not end by itself.';
comment on column maintenance.started_by is 'The administrator who turned it on; null if a command did.';
