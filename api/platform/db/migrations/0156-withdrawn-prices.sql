create table withdrawn_price (
  pay_method text not null check (char_length(pay_method) <= 40),
  rate numeric(38, 18) not null,
  from_at timestamptz not null,
  until_at timestamptz not null,
  primary key (pay_method, rate, from_at)
);
comment on table withdrawn_price is 'Prices that were taken back within a day. Orders that were placed at one are flagged for finance.';
comment on column withdrawn_price.until_at is 'When the last quote at this price has expired.';
