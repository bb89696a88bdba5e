import { isBeyondTolerance, multiplyDown, parseDecimal, tokenPlaces } from '#contract/decimal.ts'
import type { Config } from '../config.ts'
import type { Tx } from '../db/database.ts'
import type { FieldRefusal } from '../refused.ts'
import { Refused, refusedField } from '../refused.ts'
import type { OrderChange, OrderRow } from './order.queries.ts'
import { findOnChain, findPaidOnChain } from './paid-on-chain.queries.ts'

type Completing = {
  /** Amount due after the request. */
  due: string | null
  paid: Pick<OrderChange, 'paidAmount'>
  /** Reason in this request, or the one given with the proposal. */
  reason: string
  /** Whether the received amount comes from an imported statement or from the chain instead of an officer's entry. */
  hasEvidence: boolean
}

/** Amount received for an order, and how much of it the chain proves. */
export type Payment = { received: string; evidence: string | undefined }

/**
 * Rejects completing an order unless its payment was recorded, seen on chain, or is stated in this request with a
 * reason. A payment on chain that relies on a staff statement needs a reason like a stated one, and so does any
 * received amount beyond the tolerance, or for an unknown amount due.
 */
export async function requirePayment(
  db: Tx,
  config: Pick<Config, 'orderTolerance'>,
  stored: OrderRow,
  { due, paid, reason, hasEvidence }: Completing,
): Promise<Payment> {
  const { seen, proven, evidence } = await findOnChain(db, stored.id)
  const stated = paid.paidAmount ?? null
  const known = paid.paidAmount === undefined ? (stored.paid_amount ?? seen) : undefined
  const received = stated ?? known
  if (received === undefined) throw missingPayment(reason)
  const payment = { received, evidence }
  if (reason) return payment
  const isRecorded = paid.paidAmount === undefined && stored.paid_amount !== null
  const isOnWordAlone = !isRecorded && !hasEvidence && !isSameAmount(received, proven)
  if (isOnWordAlone || isOtherAmount(config, received, due)) throw refusedField('reason', 'required')
  return payment
}

const isOtherAmount = (
  { orderTolerance }: Pick<Config, 'orderTolerance'>,
  received: string,
  due: string | null,
): boolean =>
  due === null || parseDecimal(received) === 0n || isBeyondTolerance(orderTolerance, received, due)

function missingPayment(reason: string): Refused {
  const fields: FieldRefusal[] = [{ path: 'paidAmount', code: 'required' }]
  if (!reason) fields.push({ path: 'reason', code: 'required' })
  return new Refused('validation_failed', { fields })
}

const isSameAmount = (a: string, b: string | undefined): boolean =>
  b !== undefined && parseDecimal(a) === parseDecimal(b)

/**
 * Whether a payment on chain that counts as evidence covers the amount due and buys the quantity at the quoted rate.
 * Without a quote, quantity and amount rest only on a staff statement.
 */
export const isCoveredOnChain = (
  evidence: string | undefined,
  { amount, fabQty, rate }: { amount: string | null; fabQty: string | null; rate: string | null },
): boolean =>
  evidence !== undefined &&
  amount !== null &&
  fabQty !== null &&
  rate !== null &&
  parseDecimal(evidence) >= parseDecimal(amount) &&
  parseDecimal(fabQty) <= multiplyDown(parseDecimal(evidence), parseDecimal(rate), tokenPlaces)

/** Returns the amount received for the order, as recorded or as seen on chain; undefined if nothing was. */
export async function findReceived(
  db: Tx,
  order: Pick<OrderRow, 'id' | 'paid_amount'>,
): Promise<string | undefined> {
  const received = order.paid_amount ?? (await findPaidOnChain(db, order.id))
  return received !== undefined && parseDecimal(received) > 0n ? received : undefined
}
