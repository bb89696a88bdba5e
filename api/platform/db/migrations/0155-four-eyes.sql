create table four_eyes (
  area text primary key check (char_length(area) <= 20),
  is_on boolean not null,
  changed_at timestamptz not null default now()
);
comment on table four_eyes is 'Which decisions took two people when that was last looked at, so that no change of it goes unnoticed.';
