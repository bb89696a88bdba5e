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

/**
 * Records a reported transaction. A transaction is late if it was not reported by the deadline: otherwise, members
 * could report a made-up one in time to hold the price and pay when the price suits them. For a transaction seen on
 * chain, the arrival time is known. An order whose payment was reported in time stays pending, and finance decides.
 */
export async function nameTransaction(
  db: Tx,
  context: Pick<Services, 'keys' | 'config'>,
  order: LockedOrder,
  txId: string,
  { by, cameInTime = false }: { by: string | null; cameInTime?: boolean },
): Promise<Order> {
  const isSame = transactionKey(txId) === order.tx_key
  const named = await listNamings(db, order.id, txId)
  const wasInTime = isSame && order.status === 'pending' ? true : named.some(({ isInTime }) => isInTime)
  const isLate = order.status === 'cancelled' || (order.is_overdue && !wasInTime && !cameInTime)
  // What finance has resolved is not flagged again.
  const isRaised = isLate && !named.some(({ kind }) => kind === 'reported_late')
  if (isSame && !isRaised) return presentOrder(order)
  if (named.length === 0) await requireRoomForTransaction(db, order.id)
  if (isLate && order.isUnpaidTooLong) await cancelUnpaid(db, context, order)
  const updated = await updateOrderRow(db, order.id, {
    ...(!isSame && { txId, sharesTransaction: false }),
    ...(isRaised && { reportedLate: true }),
  })
  const kind = isLate ? 'reported_late' : 'payment_reported'
  await insertOrderStep(db, order.id, { kind, by, txId })
  await auditOrder(db, by, isLate ? 'order-reported-late' : 'order-payment-reported', order.id)
  if (!isLate)
    await notifyOwner(db, context, updated, by === null ? 'order-payment-seen' : 'order-payment-reported')
  if (isRaised) {
    await notifyOwner(db, context, updated, by === null ? 'order-payment-seen-late' : lateMail(updated))
    await notifyFinance(db, context, updated, 'staff-order-late')
  }
  return presentOrder(updated)
}

const lateMail = ({ status }: OrderRow): OrderMail =>
  status === 'cancelled' ? 'order-reported-late' : 'order-other-transaction'
