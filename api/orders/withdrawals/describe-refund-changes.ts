import type { OrderFieldChange } from '#contract/console-orders.ts'
import { refundOf } from './present-withdrawal.ts'
import type { StoredWithdrawal } from './withdrawal.queries.ts'

export const sumOfRefund = (row: StoredWithdrawal): string => {
  const refund = refundOf(row)
  return refund ? `${refund.amount} ${refund.currency}` : ''
}

/** Describes another refund address, or nothing if it stays the same. */
export const describeAddress = (before: string, after: string): OrderFieldChange[] =>
  before === after ? [] : [{ field: 'refundAddress', before: before || null, after: after || null }]

/**
 * Returns what a correction replaced in a recorded refund, or nothing for the first refund. It is recorded nowhere
 * else: the former transaction must be found when someone reports it as a payment.
 */
export function describeRefundChanges(
  stored: StoredWithdrawal,
  refunded: StoredWithdrawal,
): OrderFieldChange[] {
  if (!refundOf(stored)) return []
  return [
    { field: 'refundAmount', before: sumOfRefund(stored), after: sumOfRefund(refunded) },
    { field: 'refundTxId', before: stored.refund_tx_id, after: refunded.refund_tx_id },
  ].filter(({ before, after }) => before !== after)
}
