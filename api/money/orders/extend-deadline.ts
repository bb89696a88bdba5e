import type { api } from '#contract/api.ts'
import { DAY } from '#contract/platform/durations.ts'
import { deadlineMax } from '#contract/money/order-desk.ts'
import { transaction, type Tx } from '../../platform/db/database.ts'
import type { Handler } from '../../platform/http/handler.ts'
import { Refused, refusedField } from '../../platform/refused.ts'
import { auditOrder, insertOrderStep } from './order-history.queries.ts'
import { notifyOwner } from './notify-owner.ts'
import { mayMoneyHaveArrived, moveDeadline, renewDeadline } from './order-deadline.queries.ts'
import { lockOtherMembersOrder, recordingRefusedDecision } from './require-other-members-order.ts'
import { hasRecordedPayment, isPayable, isUnpaid } from './order.rules.ts'
import { presentOrder } from './present-order.ts'
import { isBeingWithdrawn } from './withdrawals/withdrawal.queries.ts'
import type { Config } from '../../platform/config/config.ts'
import type { OrderRow } from './order.queries.ts'

/**
 * Extends a deadline. This holds the price longer for one member than for others, so it needs step-up authentication
 * and a reason that the member reads. If money may have arrived, the email doesn't ask the member to pay.
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
      await requireDeadline(db, order)
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
      const mayBePaid = !isUnpaid(order) || (await mayMoneyHaveArrived(db, context.config, order.id))
      const mail = mayBePaid ? 'order-deadline-extended-unconfirmed' : 'order-deadline-extended'
      await notifyOwner(db, context, mail, { order: extended, reason: body.reason })
      await auditOrder(db, caller.memberId, 'order-deadline-extended', order.id, {
        fields: ['payBefore'],
        changes: [`payBefore: ${order.pay_before?.toISOString() ?? '–'} → ${payBefore.toISOString()}`],
      })
      return presentOrder(extended)
    }),
  )
}

/** Rejects an order that isn't due: finance recorded a payment for it, or decides about its withdrawal. */
async function requireDeadline(db: Tx, order: OrderRow): Promise<void> {
  if (hasRecordedPayment(order) || (await isBeingWithdrawn(db, order.id)))
    throw new Refused('conflict', { fields: [{ path: 'payBefore', code: 'no_deadline' }] })
}

/**
 * Renews the deadline of an order that is unpaid again because its payment turned out not to be one or its proposal
 * ended. Otherwise the deadline worker would cancel it at once.
 */
export const reinstateDeadline = async (
  db: Tx,
  { orderPayTime }: Pick<Config, 'orderPayTime'>,
  stored: OrderRow,
  changed: OrderRow,
): Promise<OrderRow> =>
  isUnpaid(changed) && !isUnpaid(stored) ? renewDeadline(db, changed.id, orderPayTime) : changed
