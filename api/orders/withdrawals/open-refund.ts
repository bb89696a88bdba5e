import type { api } from '#contract/api.ts'
import { transaction, type Tx } from '../../db/database.ts'
import type { Handler } from '../../http/handler.ts'
import { Refused } from '../../refused.ts'
import { auditOrder } from '../audit-order.ts'
import { auditedChanges } from '../describe-order-changes.ts'
import { hasMoney } from '../money-received.queries.ts'
import { updateOrderRow, type OrderRow } from '../order.queries.ts'
import { insertOrderStep } from '../order-step.queries.ts'
import { presentOrder } from '../present-order.ts'
import { recordingRefusedDecision } from '../record-refused-decision.ts'
import { lockOtherMembersOrder } from '../require-other-members-order.ts'
import { describeAddress } from './describe-refund-changes.ts'
import { notifyFinanceAboutWithdrawal, notifyMemberAboutWithdrawal } from './notify-about-withdrawal.ts'
import { periodOfOrder } from './promised-period.ts'
import { checkedRefundAddress } from './refund-address.ts'
import { canReopen } from './repeat-request.ts'
import { findWithdrawalOfOrder, insertWithdrawal, readClock } from './withdrawal.queries.ts'
import { endOf, endOfRefund } from './withdrawal.rules.ts'

/** Whether money was received for an order that isn't completed and has no withdrawal, or a closed one. */
export async function canRefund(db: Tx, order: OrderRow): Promise<boolean> {
  if (order.status === 'completed') return false
  const stored = await findWithdrawalOfOrder(db, order.id)
  return stored ? canReopen(db, order, stored) : hasMoney(db, order)
}

/**
 * Starts a withdrawal for a member who can't or doesn't withdraw. Otherwise, no one could end a large order for which
 * money was received, or record that the money was sent back.
 */
export const openRefund: Handler<typeof api.openRefund> = ({ params, body }, context) => {
  const { caller, config } = context
  return recordingRefusedDecision(context, params.id, () =>
    transaction(context.db, async (db) => {
      const order = await lockOtherMembersOrder(db, params.id, caller, body)
      if (!(await canRefund(db, order))) throw new Refused('conflict')
      const given = body.refundAddress ?? ''
      const refundAddress = given === '' ? '' : checkedRefundAddress(order, given)
      caller.requireStepUp()
      const now = await readClock(db)
      // Any change to the order ends a proposal to complete it.
      const changed = await updateOrderRow(db, order.id, {})
      const opened = await insertWithdrawal(db, {
        orderId: order.id,
        state: 'requested',
        untilAt: endOf(await periodOfOrder(db, config, order), now),
        refundBefore: endOfRefund(now, config.withdrawals.timeZone),
        refundAddress,
        note: '',
      })
      const { reason } = body
      const changes = describeAddress('', refundAddress)
      await insertOrderStep(db, order.id, { kind: 'refund_opened', by: caller.memberId, reason, changes })
      await auditOrder(db, caller.memberId, 'refund-opened', order.id, {
        status: opened.state,
        ...auditedChanges(changes),
      })
      await notifyMemberAboutWithdrawal(db, context, 'order-refund-opened', { order, stored: opened, reason })
      await notifyFinanceAboutWithdrawal(db, context, order)
      return presentOrder(changed)
    }),
  )
}
