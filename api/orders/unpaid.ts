import type { OrderRow } from './order.queries.ts'

/** Whether finance recorded that something was received. */
export const hasRecordedPayment = ({
  paid_amount,
  paid_at,
}: Pick<OrderRow, 'paid_amount' | 'paid_at'>): boolean => Number(paid_amount ?? 0) > 0 || paid_at !== null

type Asked = Pick<
  OrderRow,
  | 'status'
  | 'tx_id'
  | 'is_disputed'
  | 'paid_amount'
  | 'paid_at'
  | 'completion_proposed_by'
  | 'payment_dropped_at'
>

/**
 * Whether nothing says that a pending order is paid: no transaction that the network knows, also where two orders name it, nothing that finance recorded
 * as received, and nobody who proposes to complete it. Only such an order is cancelled as unpaid.
 */
export const isUnpaid = (order: Asked): boolean =>
  order.status === 'pending' &&
  (order.tx_id === '' || order.payment_dropped_at !== null) &&
  !order.is_disputed &&
  !hasRecordedPayment(order) &&
  order.completion_proposed_by === null

/** Whether its member may cancel it. What colleagues propose to each other is not the member's concern: it ends with the order. */
export const canWithdraw = (order: Asked): boolean => isUnpaid({ ...order, completion_proposed_by: null })
