import type { Tx } from '../db/database.ts'
import { Refused, refusedField } from '../refused.ts'
import { TransactionUsed } from './claim-transaction.ts'
import type { OrderChange, OrderRow } from './order.queries.ts'
import { listContested, listKeysToLock, lockTransactionKeys } from './transaction-history.queries.ts'
import { transactionKey } from './transaction-key.ts'

type Settled = Pick<OrderChange, 'reportedLate' | 'disputed'>
type Given = {
  txId?: string | null | undefined
  sharesTransaction?: boolean | undefined
  reason?: string | undefined
}

/**
 * Before a locked order is completed, or a completed one given a transaction: of two orders with one payment the second sees
 * the first.
 */
export async function lockForCompleting(db: Tx, stored: OrderRow, { txId }: Given): Promise<void> {
  const present = [stored.tx_key, txId ? transactionKey(txId) : '']
  await lockTransactionKeys(db, await listKeysToLock(db, stored.id, present))
}

const flags = { disputed: 'is_disputed', reportedLate: 'is_reported_late' } as const

/** What is said of its payment that finance has not dealt with. */
export const openFlagsOf = (
  order: Pick<OrderRow, 'is_disputed' | 'is_reported_late'>,
  settled: Settled = {},
): (keyof typeof flags)[] =>
  (['disputed', 'reportedLate'] as const).filter((flag) => order[flags[flag]] && settled[flag] === undefined)

/** Neither tokens nor money are sent over a flag: whose payment it is, is decided first. */
export function requireSettled(
  order: Pick<OrderRow, 'is_disputed' | 'is_reported_late'>,
  settled: Settled = {},
): void {
  const open = openFlagsOf(order, settled)
  if (open.length > 0)
    throw new Refused('conflict', { fields: open.map((path) => ({ path, code: 'unsettled' })) })
}

/** Nothing is completed over a flag, nor in the step that corrects it: the member sees what was changed before. */
export function requireCompletable(stored: OrderRow, settled: Settled, corrected: readonly string[]): void {
  requireSettled(stored, settled)
  if (corrected.length > 0)
    throw new Refused('validation_failed', {
      fields: corrected.map((path) => ({ path, code: 'separately' })),
    })
}

/** Whether its payment is, or was, that of another order: also where finance confirmed that it pays both. */
export const isPaymentShared = async (
  db: Tx,
  order: Pick<OrderRow, 'id' | 'is_tx_shared'>,
): Promise<boolean> => order.is_tx_shared || (await listContested(db, [order.id])).length > 0

/**
 * One payment completes one order, also where it was named, replaced, and named for another one meanwhile. Answers whether
 * finance confirmed with a reason that it is right nevertheless.
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
