-- What a completed order ever named is compared with what others name, also where finance replaces it later: the transaction
-- of an order that was entered as closed stood in no step of it.

update order_step set tx_id = token_order.tx_id, tx_key = token_order.tx_key
from token_order
where token_order.id = order_step.order_id and token_order.tx_key <> ''
  and order_step.id = (
    select max(closing.id) from order_step closing
    where closing.order_id = token_order.id and closing.kind in ('completed', 'cancelled') and closing.tx_key = '')
  and not exists (
    select from order_step named where named.order_id = token_order.id and named.tx_key = token_order.tx_key);
