-- A disputed report keeps price and place as well as any other, so it waits as well.

comment on column token_order.reported_at is 'Since when a payment is reported for it, also where it is disputed. Another transaction instead does not change it.';
update token_order set reported_at = (
  select min(at) from order_step where order_id = token_order.id and kind = 'disputed')
where status = 'pending' and is_disputed and reported_at is null;

drop index token_order_waits_long;
create index token_order_waits_long on token_order (reported_at, id) where status = 'pending' and reported_at is not null;
