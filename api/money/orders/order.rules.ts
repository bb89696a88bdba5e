import type { OrderState } from '#contract/money/orders.ts'
import type { OrderRow } from './order.queries.ts'

const transitions: Record<OrderState, readonly OrderState[]> = {
  pending: ['completed', 'cancelled'],
  completed: [],
  cancelled: [],
}

/** Whether an order may go from one status to the other. The same status again is accepted and changes nothing. */
export const canBecome = (from: OrderState, to: OrderState): boolean =>
  from === to || transitions[from].includes(to)

/** Whether a member can pay the order. Its deadline starts only then. */
export const isPayable = ({
  receiving_address,
  amount,
}: Pick<OrderRow, 'receiving_address' | 'amount'>): boolean => receiving_address !== '' && amount !== null

/** Whether finance recorded a received amount. An amount of 0 is no payment: it stands for a gift, or removes one. */
export const hasRecordedAmount = ({ paid_amount }: Pick<OrderRow, 'paid_amount'>): boolean =>
  Number(paid_amount ?? 0) > 0

/** Whether finance recorded a received payment. */
export const hasRecordedPayment = (order: Pick<OrderRow, 'paid_amount' | 'paid_at'>): boolean =>
  hasRecordedAmount(order) || order.paid_at !== null

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
 * Whether nothing indicates that a pending order is paid: it has no transaction that the network knows, no dispute, no
 * recorded payment, and no proposal to complete it. Only such an order is canceled as unpaid.
 */
export const isUnpaid = (order: Asked): boolean =>
  order.status === 'pending' &&
  (order.tx_id === '' || order.payment_dropped_at !== null) &&
  !order.is_disputed &&
  !hasRecordedPayment(order) &&
  order.completion_proposed_by === null

/** Whether finance still has to decide about what was reported: for a pending order, or late for a canceled one. */
export const isReportOpen = ({
  status,
  is_reported_late,
  is_disputed,
}: Pick<OrderRow, 'status' | 'is_reported_late' | 'is_disputed'>): boolean =>
  status === 'pending' || (status === 'cancelled' && (is_reported_late || is_disputed))

/** Whether the member may cancel the order. A proposal among officers doesn't prevent this and ends with the order. */
export const canWithdraw = (order: Asked): boolean => isUnpaid({ ...order, completion_proposed_by: null })
