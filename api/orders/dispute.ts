import type { Tx } from '../db/database.ts'
import type { Services } from '../services.ts'
import { auditRefusedClaim, TransactionUsed } from './claim-transaction.ts'
import { cancelUnpaid } from './close-order.ts'
import { requireRoomForTransaction, type LockedOrder } from './name-transaction.ts'
import { notifyOwner } from './notify-owner.ts'
import { insertOrderStep, listNamings, markDisputed } from './order-step.queries.ts'
import { notifyFinance } from './notify-finance.ts'

/**
 * Records a dispute: a member or the chain monitor claimed a transaction that another order already has. Either member
 * may be the payer, so the claim is rejected but recorded, both orders wait for finance, and the order without a
 * transaction is not canceled as unpaid meanwhile. Each transaction is disputed only once per order, so finance's
 * decision stands. Returns the error for the rejected claim.
 */
export async function dispute(
  db: Tx,
  context: Pick<Services, 'keys' | 'config'>,
  order: LockedOrder,
  { txId, others, by }: { txId: string; others: readonly string[]; by: string | null },
): Promise<TransactionUsed> {
  const refused = new TransactionUsed(others)
  await auditRefusedClaim(db, by, order.id, refused)
  const named = await listNamings(db, order.id, txId)
  if (named.some(({ kind }) => kind === 'disputed')) return refused
  if (named.length === 0) await requireRoomForTransaction(db, order.id)
  if (order.isUnpaidTooLong) await cancelUnpaid(db, context, order)
  for (const id of await markDisputed(db, [order.id, ...others], order.id, txId))
    await insertOrderStep(db, id, { kind: 'disputed', by, txId })
  // If the chain monitor found the transaction, the emails don't say that the member reported it.
  const [toOwner, toFinance] =
    by === null
      ? (['order-disputed-seen', 'staff-order-disputed-seen'] as const)
      : (['order-disputed', 'staff-order-disputed'] as const)
  await notifyOwner(db, context, toOwner, { order: { ...order, tx_id: txId } })
  await notifyFinance(db, context, order, toFinance)
  return refused
}
