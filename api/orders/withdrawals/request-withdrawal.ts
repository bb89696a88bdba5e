import type { api } from '#contract/api.ts'
import { hasArrivedFor } from '../../chains/transfer.queries.ts'
import { transaction, type Tx } from '../../db/database.ts'
import type { Handler } from '../../http/handler.ts'
import { Refused } from '../../refused.ts'
import { auditOrder } from '../audit-order.ts'
import { withdraw } from '../close-order.ts'
import { hasMoney } from '../money-received.queries.ts'
import { findOrder, updateOrderRow, type OrderRow } from '../order.queries.ts'
import { insertOrderStep } from '../order-step.queries.ts'
import { lockOwnOrder } from '../own-order.ts'
import { canWithdraw } from '../unpaid.ts'
import { presentWithdrawal } from './present-withdrawal.ts'
import { periodOfOrder } from './promised-period.ts'
import { notifyFinanceAboutWithdrawal, notifyMemberAboutWithdrawal } from './notify-about-withdrawal.ts'
import { checkedRefundAddress, refundChainOf } from './refund-address.ts'
import {
  canReopen,
  canReplace,
  findRequestWait,
  repeatRequest,
  requireRequestWithinLimit,
} from './repeat-request.ts'
import { findWithdrawalOfOrder, insertWithdrawal, readClock } from './withdrawal.queries.ts'
import { endOf, endOfRefund, type Period } from './withdrawal.rules.ts'

/** Whether nothing was paid and nothing is on its way. The chain may show a payment before anyone reports it. */
const isUnpaidYet = async (db: Tx, order: OrderRow): Promise<boolean> =>
  canWithdraw(order) && !(await hasArrivedFor(db, order.id, order.created_at))

/**
 * Whether the right of withdrawal has ended. What was received for a canceled order can be reclaimed at any time, even
 * without a withdrawal period; an order without a payment, or a gift, has nothing to withdraw from.
 */
async function isOver(db: Tx, order: OrderRow, period: Period | null, now: Date): Promise<boolean> {
  if (order.status === 'cancelled') return !(await hasMoney(db, order))
  const isGift = order.status === 'completed' && order.paid_amount !== null
  if (isGift && !(await hasMoney(db, order))) return true
  return period === null || now >= period.until
}

export const getWithdrawalRight: Handler<typeof api.getWithdrawalRight> = async (
  { params },
  { db, config, caller },
) => {
  const order = (await findOrder(db, params.id)).openFor(caller)
  const stored = await findWithdrawalOfOrder(db, order.id)
  const period = await periodOfOrder(db, config, order)
  return {
    orderId: order.id,
    memberId: order.member_id,
    days: period?.days ?? config.withdrawals.days,
    timeZone: period?.timeZone ?? config.withdrawals.timeZone,
    until: period?.until.toISOString() ?? null,
    lastDay: period?.lastDay ?? null,
    canRequest: stored
      ? (await canReplace(db, order, stored)) ||
        ((await canReopen(db, order, stored)) && (await findRequestWait(db, order.id)) === undefined)
      : !(await isOver(db, order, period, await readClock(db))),
    isUnpaid: await isUnpaidYet(db, order),
    refundChain: refundChainOf(order),
    withdrawal: stored ? presentWithdrawal(stored) : null,
  }
}

/**
 * Requests a withdrawal. The order is locked first, so that a concurrent completion sees the request, and a repeated
 * request returns the result of the first. A stolen session must not redirect the refund, so this needs step-up
 * authentication and sends an email.
 */
export const requestWithdrawal: Handler<typeof api.requestWithdrawal> = ({ params, body }, context) => {
  const { caller, config } = context
  return transaction(context.db, async (db) => {
    const now = await readClock(db)
    const order = await lockOwnOrder(db, params.id, caller)
    const earlier = await findWithdrawalOfOrder(db, order.id)
    if (earlier && !(await canReopen(db, order, earlier)))
      return presentWithdrawal(await repeatRequest(db, context, { order, stored: earlier }, body))
    if (earlier) await requireRequestWithinLimit(db, order.id)
    const period = await periodOfOrder(db, config, order)
    if (await isOver(db, order, period, now)) throw new Refused('conflict')
    const isUnpaid = await isUnpaidYet(db, order)
    const given = body.refundAddress ?? ''
    // An unpaid order may still be paid late, and is then refunded.
    const refundAddress = isUnpaid && given === '' ? '' : checkedRefundAddress(order, given)
    caller.requireStepUp()
    // Any change to the order ends a proposal to complete it.
    if (isUnpaid) await withdraw(db, context, order, false)
    else await updateOrderRow(db, order.id, {})
    const made = await insertWithdrawal(db, {
      orderId: order.id,
      state: isUnpaid ? 'unpaid' : 'requested',
      untilAt: endOf(period, now),
      refundBefore: endOfRefund(now, config.withdrawals.timeZone),
      refundAddress,
      note: body.note ?? '',
    })
    if (!isUnpaid) await insertOrderStep(db, order.id, { kind: 'withdrawal_requested', by: caller.memberId })
    await auditOrder(db, caller.memberId, 'withdrawal-requested', order.id, { status: made.state })
    await notifyMemberAboutWithdrawal(
      db,
      context,
      isUnpaid ? 'order-withdrawal-unpaid' : 'order-withdrawal-received',
      { order, stored: made },
    )
    if (!isUnpaid) await notifyFinanceAboutWithdrawal(db, context, order)
    return presentWithdrawal(made)
  })
}
