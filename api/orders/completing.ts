import type { Tx } from '../db/database.ts'
import { Refused, refusedField } from '../refused.ts'
import { TransactionUsed } from './claim-transaction.ts'
import type { OrderChange, OrderRow } from './order.queries.ts'
import { listReturned, listReturnedKeys } from './statements/returned-payment.queries.ts'
import { listContested } from './transaction-history.queries.ts'
import { transactionKey } from './transaction-key.ts'

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
