import { shortDecimal } from '#contract/platform/decimal.ts'
import type { Refund, Withdrawal } from '#contract/money/withdrawals.ts'
import type { OrderFieldChange } from '#contract/money/console-orders.ts'
import type { StoredWithdrawal } from './withdrawal.queries.ts'

/**
 * Formats a withdrawal reference, for example `W-1A2B3-C4D5E`: in two halves, so that it can be read aloud, and
 * distinct from an order reference.
 */
export const shownWithdrawal = (reference: string): string =>
  `W-${reference.slice(0, 5)}-${reference.slice(5)}`

export const refundOf = (row: StoredWithdrawal): Refund | null =>
  row.refund_amount === null || row.paid_on === null
    ? null
    : {
        amount: shortDecimal(row.refund_amount),
        currency: row.refund_currency,
        txId: row.refund_tx_id,
        paidOn: row.paid_on,
      }

export const presentWithdrawal = (row: StoredWithdrawal): Withdrawal => ({
  id: row.id,
  reference: shownWithdrawal(row.reference),
  state: row.state,
  requestedAt: row.requested_at.toISOString(),
  refundBefore: row.refund_before.toISOString(),
  refundAddress: row.refund_address,
  note: row.note,
  reason: row.reason,
  decidedAt: row.decided_at?.toISOString() ?? null,
  refund: refundOf(row),
})

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
