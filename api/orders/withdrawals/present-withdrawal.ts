import { shortDecimal } from '#contract/decimal.ts'
import type { Refund, Withdrawal } from '#contract/withdrawals.ts'
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
