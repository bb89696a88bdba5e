import { recordAudit } from '../../platform/audit/audit.queries.ts'
import { transaction, type Tx } from '../../platform/db/database.ts'
import type { MemberContext } from '../../platform/http/handler.ts'
import { Refused, refusedField } from '../../platform/refused.ts'
import { type OrderChange, type OrderRow } from './order.queries.ts'
import { isRefusedByTransaction, listOrdersWithTransaction } from './order-transaction.queries.ts'
import { payChainOf, readTxId, transactionKey } from './payment.rules.ts'

type Named = Pick<OrderRow, 'pay_chain' | 'pay_method'> & (OrderRow | { id: null })
/** What finance states when a transaction pays two orders. */
type Shared = { isConfirmed: boolean | undefined; reason: string | undefined }

/** Thrown when another order already has the transaction, so someone may be claiming another member’s payment. */
export class TransactionUsed extends Refused {
  readonly orders: readonly string[]

  constructor(orders: readonly string[]) {
    super('conflict', { fields: [{ path: 'txId', code: 'tx_used' }] })
    this.orders = orders
  }
}

/** Returns the transaction ID in the canonical form of the order’s chain. */
export function requireTxId(order: Pick<OrderRow, 'pay_chain' | 'pay_method'>, given: string): string {
  const txId = readTxId(order, given)
  // The message about `tx_id` describes only the IDs of blockchains.
  const isPlaceholder = payChainOf(order) === 'other' && transactionKey(given) === ''
  if (txId === undefined) throw refusedField('txId', isPlaceholder ? 'placeholder' : 'tx_id')
  return txId
}

/**
 * Returns the transaction claimed for an order, in the canonical form of its chain. Rejects a transaction that another
 * order has, unless finance confirms with a reason that it pays both.
 */
export async function claimTransaction(
  db: Tx,
  order: Named,
  given: string,
  shared: Shared,
): Promise<Required<Pick<OrderChange, 'txId' | 'sharesTransaction'>>> {
  const txId = requireTxId(order, given)
  if (order.id !== null && order.tx_key === transactionKey(txId))
    return { txId: order.tx_id, sharesTransaction: order.is_tx_shared }
  const others = await listOrdersWithTransaction(db, txId, order.id)
  if (others.length === 0) return { txId, sharesTransaction: false }
  if (!shared.isConfirmed) throw new TransactionUsed(others)
  if (!shared.reason) throw refusedField('reason', 'required')
  return { txId, sharesTransaction: true }
}

const attemptsMax = 3

/**
 * Retries `work` while concurrent orders claim the same transaction. The unique index decides which order wins, and the
 * retry finds the winner.
 */
export async function retryUntilTransactionDecided<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await work()
    } catch (error) {
      if (!isRefusedByTransaction(error)) throw error
      if (attempt === attemptsMax) throw new TransactionUsed([])
    }
}

/** Logs which orders a rejected claim concerns, but never the transaction. */
export const auditRefusedClaim = (
  db: Tx,
  actorId: string | null,
  orderId: string | null,
  { orders }: TransactionUsed,
): Promise<void> =>
  recordAudit(db, {
    actorId,
    action: 'order-transaction-refused',
    subjectKind: 'order',
    subjectId: orderId,
    detail: { orders: [...orders] },
  })

/** Runs `work`, which may claim a transaction for finance, and logs the claim if it is rejected. */
export async function recordingRefusedClaims<T>(
  { db, caller }: Pick<MemberContext, 'db' | 'caller'>,
  orderId: string | null,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await retryUntilTransactionDecided(work)
  } catch (error) {
    if (error instanceof TransactionUsed)
      await transaction(db, (db) => auditRefusedClaim(db, caller.memberId, orderId, error))
    throw error
  }
}
