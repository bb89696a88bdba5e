-- What finance took away from a pending order, or replaced in it, was perhaps refunded. Older steps do not say which transaction a
-- correction was about, so every one that was named before a step of finance, and is not the order's now, counts as taken: one too
-- many is confirmed by finance once, one too few is paid twice. Members replace what they named and never take it away.

insert into order_step (order_id, kind, by_member_id, at, tx_id, tx_key)
select token_order.id, 'transaction_taken', taking.by_member_id, coalesce(taking.at, now()), named.tx_id, named.tx_key
from token_order
join lateral (
  select distinct on (tx_key) id, by_member_id, at, tx_id, tx_key from order_step
  where order_id = token_order.id and tx_key <> '' and kind <> 'disputed'
  order by tx_key, id) named on named.tx_key <> token_order.tx_key
left join lateral (
  select by_member_id, at from order_step
  where order_id = token_order.id and id > named.id and kind <> 'disputed'
    and by_member_id is distinct from token_order.member_id
    and (
      (tx_key <> '' and tx_key <> named.tx_key)
      -- The correction by which finance itself named it took another one.
      or (kind = 'corrected' and (by_member_id, at) is distinct from (named.by_member_id, named.at)))
  order by id limit 1) taking on true
where token_order.status = 'pending' and (token_order.tx_key = '' or taking.at is not null)
order by token_order.id, named.id;
