alter table order_withdrawal add column is_paid_again boolean not null default false;
comment on column order_withdrawal.is_paid_again is
  'Whether finance recorded more money after the refund, which the refund therefore doesn''t cover.';
