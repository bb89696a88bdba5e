import type { Order } from '#contract/orders.ts'
import type { Tx } from '../db/database.ts'
import type { Services } from '../services.ts'
import { auditOrder } from './audit-order.ts'
import { cancelUnpaid } from './close-order.ts'
import { requireRoomForTransaction, type LockedOrder } from './name-transaction.ts'
import { notifyOwner, type OrderMail } from './notify-owner.ts'
import { updateOrderRow, type OrderRow } from './order.queries.ts'
import { insertOrderStep, listNamings } from './order-step.queries.ts'
import { presentOrder } from './present-order.ts'
import { notifyFinance } from './notify-finance.ts'
import { transactionKey } from './transaction-key.ts'

/** `by` is null if the chain monitor found the transaction. */
type Naming = { txId: string; by: string | null; cameInTime?: boolean }

/**
 * Records a reported transaction. A transaction is late if it was not reported by the deadline: otherwise, members
 * could report a made-up one in time to hold the price and pay when the price suits them. For a transaction seen on
 * chain, the arrival time is known. An order whose payment was reported in time stays pending, and finance decides.
 */
export async function nameTransaction(
  db: Tx,
  context: Pick<Services, 'keys' | 'config'>,
  order: LockedOrder,
  { txId, by, cameInTime = false }: Naming,
): Promise<Order> {
  const isSame = transactionKey(txId) === order.tx_key
  const named = await listNamings(db, order.id, txId)
  const isLate = isTooLate(order, cameInTime || named.some(({ isInTime }) => isInTime), isSame)
  // What finance has resolved is not flagged again.
  const isRaised = isLate && !named.some(({ kind }) => kind === 'reported_late')
  if (isSame && !isRaised) return presentOrder(order)
  if (named.length === 0) await requireRoomForTransaction(db, order.id)
  if (isLate && order.isUnpaidTooLong) await cancelUnpaid(db, context, order)
  const updated = await updateOrderRow(db, order.id, {
    ...(!isSame && { txId, sharesTransaction: false }),
    ...(isRaised && { reportedLate: true }),
  })
  const [kind, action] = isLate
    ? (['reported_late', 'order-reported-late'] as const)
    : (['payment_reported', 'order-payment-reported'] as const)
  await insertOrderStep(db, order.id, { kind, by, txId })
  await auditOrder(db, by, action, order.id)
  const mails = mailsFor(updated, by)
  if (!isLate) await notifyOwner(db, context, mails.inTime, { order: updated })
  if (isRaised) {
    await notifyOwner(db, context, mails.late, { order: updated })
    await notifyFinance(db, context, updated, 'staff-order-late')
  }
  return presentOrder(updated)
}

/** A pending order's own transaction was reported in time. */
const isTooLate = ({ status, is_overdue }: LockedOrder, isInTime: boolean, isSame: boolean): boolean =>
  status === 'cancelled' || (is_overdue && !isInTime && !(isSame && status === 'pending'))

/** Members who reported nothing are told that we saw the payment. */
function mailsFor({ status }: OrderRow, by: string | null): Record<'inTime' | 'late', OrderMail> {
  if (by === null) return { inTime: 'order-payment-seen', late: 'order-payment-seen-late' }
  return {
    inTime: 'order-payment-reported',
    late: status === 'cancelled' ? 'order-reported-late' : 'order-other-transaction',
  }
}
