alter table order_withdrawal add column is_paid_again boolean not null default false;
create index order_withdrawal_paid_again on order_withdrawal (order_id) where is_paid_again;
comment on column order_withdrawal.is_paid_again is
  'Whether finance recorded more money after the refund, which the refund therefore doesn''t cover.';
