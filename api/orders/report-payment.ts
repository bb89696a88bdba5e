import type { api } from '#contract/api.ts'
import { HOUR } from '#contract/durations.ts'
import { transaction } from '../db/database.ts'
import type { Handler } from '../http/handler.ts'
import { Refused } from '../refused.ts'
import { requireWithinLimits } from '../rate-limits/rate-limit.ts'
import { auditOrder } from './audit-order.ts'
import { claimTransaction, recordingRefusedClaims } from './claim-transaction.ts'
import { cancelUnpaid } from './close-order.ts'
import { notifyOwner } from './notify-owner.ts'
import { insertOrderStep, updateOrderRow } from './order.queries.ts'
import { lockOwnOrder } from './own-order.ts'
import { presentOrder } from './present-order.ts'

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
  return recordingRefusedClaims(context, params.id, () =>
    transaction(context.db, async (db) => {
      const order = await lockOwnOrder(db, params.id, caller)
      if (order.status === 'completed') throw new Refused('conflict')
      const claim = await claimTransaction(db, order, body.txId)
      const isLate = order.status === 'cancelled' || (order.is_overdue && order.tx_id === '')
      // Reported again unchanged.
      if (claim.txId === order.tx_id && (!isLate || order.is_reported_late)) return presentOrder(order)
      if (isLate && order.status === 'pending') await cancelUnpaid(db, context, order)
      const updated = await updateOrderRow(db, order.id, { ...claim, ...(isLate && { reportedLate: true }) })
      await insertOrderStep(db, order.id, isLate ? 'reported_late' : 'payment_reported', caller.memberId)
      await notifyOwner(db, context, updated, isLate ? 'order-reported-late' : 'order-payment-reported')
      const action = isLate ? 'order-reported-late' : 'order-payment-reported'
      await auditOrder(db, caller.memberId, action, order.id)
      return presentOrder(updated)
    }),
  )
}
