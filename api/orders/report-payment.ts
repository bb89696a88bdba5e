import type { api } from '#contract/api.ts'
import { HOUR } from '#contract/durations.ts'
import type { Order } from '#contract/orders.ts'
import { transaction, type Tx } from '../db/database.ts'
import type { Handler, MemberContext } from '../http/handler.ts'
import { Refused } from '../refused.ts'
import { requireWithinLimits } from '../rate-limits/rate-limit.ts'
import { auditOrder } from './audit-order.ts'
import { requireTxId, untilTransactionIsDecided } from './claim-transaction.ts'
import { cancelUnpaid } from './close-order.ts'
import { dispute } from './dispute.ts'
import { requireRoomForTransaction, withDeadline, type LockedOrder } from './name-transaction.ts'
import { notifyOwner } from './notify-owner.ts'
import { listOrdersWithTransaction, lockOrders, updateOrderRow } from './order.queries.ts'
import { insertOrderStep, listNamings } from './order-step.queries.ts'
import { lockOwnOrder } from './own-order.ts'
import { presentOrder } from './present-order.ts'
import { tellFinance } from './tell-finance.ts'
import { transactionKey } from './transaction-key.ts'

const reportsPerHourMax = 20

/**
 * A report keeps a pending order from being cancelled at its deadline. Of a report and the deadline the one that comes
 * first wins, whenever the program gets round to cancelling: a report after it finds the order cancelled, and is flagged.
 */
export const reportPayment: Handler<typeof api.reportPayment> = async ({ params, body }, context) => {
  const { keys, caller } = context
  await requireWithinLimits(context.db, keys, [
    { key: `report payment ${caller.memberId}`, max: reportsPerHourMax, window: HOUR },
  ])
  const outcome = await untilTransactionIsDecided(() =>
    transaction(context.db, async (db) => {
      // Two who name each other’s transactions lock both orders in one order: neither waits for the other.
      const named = await listOrdersWithTransaction(db, body.txId, params.id)
      if (named.length > 0) await lockOrders(db, [params.id, ...named])
      const order = withDeadline(await lockOwnOrder(db, params.id, caller))
      if (order.status === 'completed') throw new Refused('conflict')
      const txId = requireTxId(order, body.txId)
      const others =
        transactionKey(txId) === order.tx_key ? [] : await listOrdersWithTransaction(db, txId, order.id)
      return others.length > 0 ? dispute(db, context, order, txId, others) : name(db, context, order, txId)
    }),
  )
  // Thrown out here, so that what was kept of the claim is written.
  if (outcome instanceof Refused) throw outcome
  return outcome
}

/**
 * Late is what was not named by the deadline: a transaction that was made up in time must not keep the price for one that
 * is sent when the price suits. An order whose payment was named in time stays pending, and finance decides.
 */
async function name(db: Tx, context: MemberContext, order: LockedOrder, txId: string): Promise<Order> {
  const { memberId } = context.caller
  const isSame = transactionKey(txId) === order.tx_key
  const named = await listNamings(db, order.id, txId)
  const wasInTime = isSame && order.status === 'pending' ? true : named.some(({ isInTime }) => isInTime)
  const isLate = order.status === 'cancelled' || (order.is_overdue && !wasInTime)
  // What finance has dealt with is not raised again.
  const isRaised = isLate && !named.some(({ kind }) => kind === 'reported_late')
  if (isSame && !isRaised) return presentOrder(order)
  if (named.length === 0) await requireRoomForTransaction(db, order.id)
  if (isLate && order.isUnpaidTooLong) await cancelUnpaid(db, context, order)
  const updated = await updateOrderRow(db, order.id, {
    ...(!isSame && { txId, sharesTransaction: false }),
    ...(isRaised && { reportedLate: true }),
  })
  const kind = isLate ? 'reported_late' : 'payment_reported'
  await insertOrderStep(db, order.id, { kind, by: memberId, txId })
  await auditOrder(db, memberId, isLate ? 'order-reported-late' : 'order-payment-reported', order.id)
  if (!isLate) await notifyOwner(db, context, updated, 'order-payment-reported')
  if (isRaised) {
    const isCancelled = updated.status === 'cancelled'
    await notifyOwner(db, context, updated, isCancelled ? 'order-reported-late' : 'order-other-transaction')
    await tellFinance(db, context, updated, 'staff-order-late')
  }
  return presentOrder(updated)
}
