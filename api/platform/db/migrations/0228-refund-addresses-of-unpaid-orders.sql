-- A refund address that a member entered while canceling an unpaid order is in the order's history, because finance must
-- not replace it.

update order_step set changes = jsonb_build_array(
  jsonb_build_object('field', 'refundAddress', 'before', null, 'after', order_withdrawal.refund_address))
from order_withdrawal
where order_withdrawal.order_id = order_step.order_id and order_withdrawal.state = 'unpaid'
  and order_withdrawal.decided_by is null and order_withdrawal.refund_address <> ''
  and order_step.changes = '[]' and order_step.id = (
    select max(canceled.id) from order_step canceled
    where canceled.order_id = order_step.order_id and canceled.kind = 'withdrawn');
