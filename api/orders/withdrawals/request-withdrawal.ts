import brand from '#content/brand.json' with { type: 'json' }
import type { api } from '#contract/api.ts'
import { checkAddress } from '#contract/chain-address.ts'
import { currencyOf, defaultCurrency } from '#contract/orders.ts'
import type { PayChain } from '#contract/sale.ts'
import { hasArrivedFor } from '../../chains/transfer.queries.ts'
import { transaction, type Tx } from '../../db/database.ts'
import type { Handler } from '../../http/handler.ts'
import { Refused, refusedField } from '../../refused.ts'
import { auditOrder } from '../audit-order.ts'
import { withdraw } from '../close-order.ts'
import { hasMoney } from '../money-received.queries.ts'
import { findOrder, updateOrderRow, type OrderRow } from '../order.queries.ts'
import { insertOrderStep } from '../order-step.queries.ts'
import { lockOwnOrder } from '../own-order.ts'
import { payChainOf } from '../payment.rules.ts'
import { canWithdraw } from '../unpaid.ts'
import { presentWithdrawal } from './present-withdrawal.ts'
import { periodOfOrder } from './promised-period.ts'
import { notifyFinanceAboutWithdrawal, notifyMemberAboutWithdrawal } from './notify-about-withdrawal.ts'
import { findWithdrawalOfOrder, insertWithdrawal, readClock } from './withdrawal.queries.ts'
import { endOf, endOfRefund, type Period } from './withdrawal.rules.ts'

/**
 * Returns the chain of the refund address: that of the coin paid with. A payment from a bank account is refunded to
 * that account.
 */
export function refundChainOf(order: Pick<OrderRow, 'pay_chain' | 'pay_method'>): PayChain | null {
  const chain = payChainOf(order)
  const isMoney =
    order.pay_chain === null && chain === 'other' && currencyOf(order.pay_method) === defaultCurrency
  return isMoney ? null : chain
}

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
    canRequest: !stored && !(await isOver(db, order, period, await readClock(db))),
    isUnpaid: await isUnpaidYet(db, order),
    refundChain: refundChainOf(order),
    withdrawal: stored ? presentWithdrawal(stored) : null,
  }
}

/**
 * Requests a withdrawal. The order is locked first, so that a concurrent completion sees the request, and a second
 * request returns the result of the first. A stolen session must not redirect the refund, so this needs step-up
 * authentication and sends an email.
 */
export const requestWithdrawal: Handler<typeof api.requestWithdrawal> = ({ params, body }, context) => {
  const { caller, config } = context
  return transaction(context.db, async (db) => {
    const now = await readClock(db)
    const order = await lockOwnOrder(db, params.id, caller)
    const earlier = await findWithdrawalOfOrder(db, order.id)
    if (earlier && earlier.state !== 'refused') return presentWithdrawal(earlier)
    const period = await periodOfOrder(db, config, order)
    if (earlier || (await isOver(db, order, period, now))) throw new Refused('conflict')
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
      order,
      made,
      isUnpaid ? 'order-withdrawal-unpaid' : 'order-withdrawal-received',
    )
    if (!isUnpaid) await notifyFinanceAboutWithdrawal(db, context, order)
    return presentWithdrawal(made)
  })
}

/** Returns a refund address of the coin paid with, in the canonical form of its chain. */
export function checkedRefundAddress(order: OrderRow, given: string): string {
  const chain = refundChainOf(order)
  if (given === '') {
    if (chain !== null) throw refusedField('refundAddress', 'required')
    return ''
  }
  // Rejects our own receiving address, which was probably copied from the payment page.
  if (given.toLowerCase() === order.receiving_address.toLowerCase())
    throw refusedField('refundAddress', 'invalid')
  if (chain !== 'bitcoin' && chain !== 'ethereum') return given
  const checked = checkAddress(chain, given, brand.chain)
  if ('problem' in checked) throw refusedField('refundAddress', checked.problem)
  return checked.address
}
