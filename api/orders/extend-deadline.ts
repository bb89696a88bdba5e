import type { api } from '#contract/api.ts'
import { DAY } from '#contract/durations.ts'
import { deadlineMax } from '#contract/order-desk.ts'
import { transaction } from '../db/database.ts'
import type { Handler } from '../http/handler.ts'
import { Refused, refusedField } from '../refused.ts'
import { auditOrder } from './audit-order.ts'
import { notifyOwner } from './notify-owner.ts'
import { moveDeadline } from './order-deadline.queries.ts'
import { insertOrderStep } from './order-step.queries.ts'
import { lockOtherMembersOrder } from './require-other-members-order.ts'
import { isPayable } from './payable.ts'
import { recordingRefusedDecision } from './record-refused-decision.ts'
import { presentOrder } from './present-order.ts'

/**
 * Extends a deadline. This holds the price longer for one member than for others, so it needs step-up authentication
 * and a reason that the member reads.
 */
export const extendOrderDeadline: Handler<typeof api.extendOrderDeadline> = ({ params, body }, context) => {
  const { caller } = context
  const payBefore = new Date(body.payBefore)
  return recordingRefusedDecision(context, params.id, () =>
    transaction(context.db, async (db) => {
      const order = await lockOtherMembersOrder(db, params.id, caller, body)
      // The payment period of an order that can't be paid has not started.
      if (order.status !== 'pending' || (order.pay_before === null && !isPayable(order)))
        throw new Refused('conflict')
      if (payBefore.getTime() === order.pay_before?.getTime()) return presentOrder(order)
      const now = Date.now()
      if (payBefore.getTime() <= now) throw refusedField('payBefore', 'past')
      if (payBefore.getTime() > now + deadlineMax)
        throw refusedField('payBefore', 'too_far', { max: deadlineMax / DAY })
      if (order.pay_before && payBefore < order.pay_before) throw refusedField('payBefore', 'invalid')
      caller.requireStepUp()
      const extended = await moveDeadline(db, order.id, payBefore)
      await insertOrderStep(db, order.id, {
        kind: 'deadline_extended',
        by: caller.memberId,
        reason: body.reason,
      })
      await notifyOwner(db, context, 'order-deadline-extended', { order: extended, reason: body.reason })
      await auditOrder(db, caller.memberId, 'order-deadline-extended', order.id, {
        fields: ['payBefore'],
        changes: [`payBefore: ${order.pay_before?.toISOString() ?? '–'} → ${payBefore.toISOString()}`],
      })
      return presentOrder(extended)
    }),
  )
}
