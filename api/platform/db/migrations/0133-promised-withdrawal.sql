-- Until when a member can withdraw from an order is promised when it is placed. Settings that change later take nothing away of it.

create table withdrawal_period (
  order_id text primary key references token_order on delete cascade,
  until_at timestamptz(3) not null,
  last_day text check (last_day ~ '^\d{4}-\d{2}-\d{2}$'),
  days integer not null check (days > 0),
  time_zone text not null check (char_length(time_zone) <= 100)
);
comment on table withdrawal_period is 'Until when an order can be withdrawn from, as it was when it was placed. Orders of an earlier release have none, and go by the settings, as do those that were placed without such a right.';
comment on column withdrawal_period.last_day is 'The day whose end it is; null where the end of the sale cut it.';
