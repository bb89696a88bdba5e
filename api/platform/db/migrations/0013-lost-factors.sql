create type lost_factor_state as enum ('asked', 'opened', 'confirmed', 'done', 'stopped', 'declined', 'expired');

create table lost_factor (
  id text primary key default gen_random_uuid()::text,
  member_id text not null references member on delete cascade,
  state lost_factor_state not null default 'asked',
  asked_at timestamptz(3) not null default now(),
  opened_by text references member,
  opened_at timestamptz(3),
  opened_how text not null default '' check (char_length(opened_how) <= 1000),
  confirmed_by text references member,
  confirmed_at timestamptz(3),
  takes_effect_at timestamptz(3),
  ended_at timestamptz(3),
  check (opened_by <> member_id and confirmed_by <> member_id and opened_by <> confirmed_by)
);
create unique index lost_factor_one_open on lost_factor (member_id) where ended_at is null;
create index lost_factor_by_end on lost_factor (ended_at);
comment on table lost_factor is 'A member who has the password but neither a factor nor a recovery code. Two of the staff let them in again, after a day.';
comment on column lost_factor.opened_how is 'How the first of the staff saw again who the member is.';
