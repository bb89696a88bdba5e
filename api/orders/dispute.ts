import type { Tx } from '../db/database.ts'
import type { Services } from '../services.ts'
import { auditRefusedClaim, TransactionUsed } from './claim-transaction.ts'
import { cancelUnpaid } from './close-order.ts'
import { requireRoomForTransaction, type LockedOrder } from './name-transaction.ts'
import { notifyOwner } from './notify-owner.ts'
import { insertOrderStep, listNamings, markDisputed } from './order-step.queries.ts'
import { tellFinance } from './tell-finance.ts'

/**
 * A member, or the program by what it saw on chain, names the transaction of another order for another one. Either may be who paid, so the claim is refused and kept,
 * both orders wait for finance, and the one without a transaction is not cancelled as unpaid meanwhile. Once for each
 * transaction of an order: what finance has decided is not raised again. Answers how the claim is to be refused.
 */
export async function dispute(
  db: Tx,
  context: Pick<Services, 'keys' | 'config'>,
  order: LockedOrder,
  txId: string,
  others: readonly string[],
  by: string | null,
): Promise<TransactionUsed> {
  const refused = new TransactionUsed(others)
  await auditRefusedClaim(db, by, order.id, refused)
  const named = await listNamings(db, order.id, txId)
  if (named.some(({ kind }) => kind === 'disputed')) return refused
  if (named.length === 0) await requireRoomForTransaction(db, order.id)
  if (order.isUnpaidTooLong) await cancelUnpaid(db, context, order)
  for (const id of await markDisputed(db, [order.id, ...others], order.id, txId))
    await insertOrderStep(db, id, { kind: 'disputed', by, txId })
  // Nobody is told that they reported what the program saw.
  const [toOwner, toFinance] =
    by === null
      ? (['order-disputed-seen', 'staff-order-disputed-seen'] as const)
      : (['order-disputed', 'staff-order-disputed'] as const)
  await notifyOwner(db, context, { ...order, tx_id: txId }, toOwner)
  await tellFinance(db, context, order, toFinance)
  return refused
}
