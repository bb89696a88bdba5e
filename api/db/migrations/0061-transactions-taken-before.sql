-- Members replace what they named and never take it away: of a pending order without a transaction finance took the last one.

insert into order_step (order_id, kind, by_member_id, at, tx_id, tx_key)
select token_order.id, 'transaction_taken', taking.by_member_id, coalesce(taking.at, now()), named.tx_id, named.tx_key
from token_order
join lateral (
  select id, tx_id, tx_key from order_step
  where order_id = token_order.id and tx_key <> '' and kind <> 'disputed'
  order by id desc limit 1) named on true
left join lateral (
  select by_member_id, at from order_step
  where order_id = token_order.id and kind = 'corrected' and id > named.id
  order by id limit 1) taking on true
where token_order.status = 'pending' and token_order.tx_key = '';
