-- What members name as their payment is kept, two who name the same are both shown to finance, and amounts have currencies.

alter type order_step_kind add value 'disputed';
alter type order_step_kind add value 'deadline_extended';

alter table order_step
  add column tx_id text not null default '' check (char_length(tx_id) <= 128),
  add column tx_key text not null default '' check (char_length(tx_key) <= 128);
comment on column order_step.tx_id is 'The transaction that was named in this step, also where it was refused as disputed. Not proved.';
comment on column order_step.tx_key is 'The transaction as it is compared.';

alter table token_order
  add column is_disputed boolean not null default false,
  add column finance_told_at timestamptz(3),
  add column tx_key_version smallint not null default 1,
  add column currency text check (char_length(currency) <= 10);
comment on column token_order.is_disputed is 'Its member named a transaction that another order has, or another member named its own. It has no deadline meanwhile, and waits for finance.';
comment on column token_order.finance_told_at is 'When finance was mailed that it waits for them: once.';
comment on column token_order.tx_key_version is 'By which rules tx_key was made. Keys by older rules are made anew at the start of the program, which alone knows the rules.';
comment on column token_order.currency is 'What the amount is counted in, as it was when the order was placed. Null where nobody said so: the pay method says it.';

create index token_order_disputed on token_order (created_at) where is_disputed;
drop index token_order_unpaid;
create index token_order_unpaid on token_order (pay_before) where status = 'pending' and tx_id = '' and not is_disputed;

update token_order set tx_key_version = 0 where tx_id <> '';
-- The last report of an order named the transaction that the order has.
update order_step set tx_id = token_order.tx_id, tx_key = token_order.tx_key
from token_order
where token_order.id = order_step.order_id and token_order.tx_id <> '' and order_step.id = (
  select max(reported.id) from order_step reported
  where reported.order_id = token_order.id and reported.kind in ('payment_reported', 'reported_late'));

alter table pay_method add column currency text check (char_length(currency) between 1 and 10);
alter table order_quote add column currency text check (char_length(currency) <= 10);
comment on column pay_method.currency is 'What amounts are counted in. Null where nobody said so: the code says it.';

create table sale_setter (
  member_id text primary key references member,
  changed_at timestamptz(3) not null default now()
);
comment on table sale_setter is 'When each member last changed the settings of the sale: whoever sets a price does not buy at it the same day.';
insert into sale_setter (member_id, changed_at) select updated_by, updated_at from sale where updated_by is not null;
