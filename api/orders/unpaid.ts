import type { OrderRow } from './order.queries.ts'

/**
 * Whether nothing says that a pending order is paid: no transaction, also where two orders name it, nothing that finance recorded
 * as received, and nobody who proposes to complete it. Only such an order is cancelled as unpaid, or withdrawn by its member.
 */
export const isUnpaid = (
  order: Pick<
    OrderRow,
    'status' | 'tx_id' | 'is_disputed' | 'paid_amount' | 'paid_at' | 'completion_proposed_by'
  >,
): boolean =>
  order.status === 'pending' &&
  order.tx_id === '' &&
  !order.is_disputed &&
  Number(order.paid_amount ?? 0) === 0 &&
  order.paid_at === null &&
  order.completion_proposed_by === null
