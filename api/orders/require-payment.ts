import { isBeyondTolerance, parseDecimal } from '#contract/decimal.ts'
import type { Config } from '../config.ts'
import type { Tx } from '../db/database.ts'
import type { FieldRefusal } from '../refused.ts'
import { Refused, refusedField } from '../refused.ts'
import type { OrderChange, OrderRow } from './order.queries.ts'
import { findPaidOnChain } from './paid-on-chain.queries.ts'

type Completing = {
  /** Amount due once the request is carried out. */
  due: string | null
  paid: Pick<OrderChange, 'paidAmount'>
  /** Reason in this request, or the one that came with the proposal. */
  reason: string
  /** The received amount comes from an imported statement or from the chain, not from what an officer typed. */
  hasEvidence: boolean
}

/**
 * Refuses to complete an order unless its payment was recorded, was seen on chain, or is stated in this request with a reason.
 * A received amount beyond the tolerance takes a reason in every case.
 */
export async function requirePayment(
  db: Tx,
  config: Pick<Config, 'orderTolerance'>,
  stored: OrderRow,
  { due, paid, reason, hasEvidence }: Completing,
): Promise<void> {
  const seen = await findPaidOnChain(db, stored.id)
  const stated = paid.paidAmount ?? null
  const known = paid.paidAmount === undefined ? (stored.paid_amount ?? seen) : undefined
  const received = stated ?? known
  if (received === undefined) {
    const missing: FieldRefusal[] = [{ path: 'paidAmount', code: 'required' }]
    if (!reason) missing.push({ path: 'reason', code: 'required' })
    throw new Refused('validation_failed', { fields: missing })
  }
  if (reason) return
  const isOnWordAlone = stated !== null && !hasEvidence && !isSameAmount(stated, seen)
  const isNothing = parseDecimal(received) === 0n
  if (isOnWordAlone || isNothing || isBeyondTolerance(config.orderTolerance, received, due))
    throw refusedField('reason', 'required')
}

const isSameAmount = (a: string, b: string | undefined): boolean =>
  b !== undefined && parseDecimal(a) === parseDecimal(b)

/** What was received for the order, as recorded or as seen on chain; undefined for nothing. */
export async function findReceived(
  db: Tx,
  order: Pick<OrderRow, 'id' | 'paid_amount'>,
): Promise<string | undefined> {
  const received = order.paid_amount ?? (await findPaidOnChain(db, order.id))
  return received !== undefined && parseDecimal(received) > 0n ? received : undefined
}
