import { isBeyondTolerance, multiplyDown, parseDecimal, tokenPlaces } from '#contract/decimal.ts'
import type { Tx } from '../db/database.ts'
import { Refused, refusedField, type FieldRefusal } from '../refused.ts'
import { TransactionUsed } from './claim-transaction.ts'
import type { OrderChange, OrderRow } from './order.queries.ts'
import { listReturned, listReturnedKeys } from './statements/returned-payment.queries.ts'
import { listContested } from './order-transaction.queries.ts'
import { transactionKey } from './payment.rules.ts'
import type { Config } from '../config.ts'
import { findOnChain, findPaidOnChain } from './order-change.queries.ts'

type Settled = Pick<OrderChange, 'reportedLate' | 'disputed'>
type Given = {
  txId?: string | null | undefined
  sharesTransaction?: boolean | undefined
  reason?: string | undefined
}

const flags = { disputed: 'is_disputed', reportedLate: 'is_reported_late' } as const

/** Flags about the payment that finance has not resolved. */
export const openFlagsOf = (
  order: Pick<OrderRow, 'is_disputed' | 'is_reported_late'>,
  settled: Settled = {},
): (keyof typeof flags)[] =>
  (['disputed', 'reportedLate'] as const).filter((flag) => order[flags[flag]] && settled[flag] === undefined)

/**
 * Rejects orders with unresolved flags: neither tokens nor money may be sent before it is clear whose payment it is.
 */
export function requireSettled(
  order: Pick<OrderRow, 'is_disputed' | 'is_reported_late'>,
  settled: Settled = {},
): void {
  const open = openFlagsOf(order, settled)
  if (open.length > 0)
    throw new Refused('conflict', { fields: open.map((path) => ({ path, code: 'unsettled' })) })
}

/**
 * Rejects completing an order that has unresolved flags or that the same request corrects, because the member must see
 * the correction first.
 */
export function requireCompletable(stored: OrderRow, settled: Settled, corrected: readonly string[]): void {
  requireSettled(stored, settled)
  if (corrected.length > 0)
    throw new Refused('validation_failed', {
      fields: corrected.map((path) => ({ path, code: 'separately' })),
    })
}

/**
 * Rejects completing an order whose payment was returned, until someone resolves the statement line. `orderId` is null
 * if the order isn't stored yet, and `txId` is the transaction that the same request names.
 */
export async function requireNotReturned(db: Tx, orderId: string | null, txId = ''): Promise<void> {
  const [order] = orderId === null ? [] : await listReturned(db, [orderId])
  const [key] = txId === '' ? [] : await listReturnedKeys(db, [transactionKey(txId)])
  if (order !== undefined || key !== undefined)
    throw new Refused('conflict', { fields: [{ path: 'payment', code: 'unsettled' }] })
}

/** Whether another order has or had the same payment, even if finance confirmed that it pays both. */
export const isPaymentShared = async (
  db: Tx,
  order: Pick<OrderRow, 'id' | 'is_tx_shared'>,
): Promise<boolean> => order.is_tx_shared || (await listContested(db, [order.id])).length > 0

/**
 * Ensures that one payment completes only one order, even if it was named, replaced, and then named for another order.
 * Returns whether finance confirmed the exception with a reason.
 */
export async function confirmsShared(
  db: Tx,
  orderId: string,
  { sharesTransaction, reason }: Given,
): Promise<boolean> {
  const contested = await listContested(db, [orderId])
  if (contested.length === 0) return false
  if (!sharesTransaction) throw new TransactionUsed(contested.map(({ other }) => other))
  if (!reason) throw refusedField('reason', 'required')
  return true
}

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
