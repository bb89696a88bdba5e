-- What one finance member completes alone adds up within a day.

alter table order_step add column alone_quantity numeric(38, 18);
comment on column order_step.alone_quantity is
  'Tokens of an order that one finance member completed alone, without a payment on chain that covers it. Null for everything else.';
