import type { api } from '#contract/api.ts'
import { DAY, SECOND } from '#contract/platform/durations.ts'
import { hasArrivedFor } from '../../chains/transfer.queries.ts'
import type { Config } from '../../../platform/config/config.ts'
import { transaction, type Tx } from '../../../platform/db/database.ts'
import type { Handler, MemberContext } from '../../../platform/http/handler.ts'
import { Refused, refusedField } from '../../../platform/refused.ts'
import { listOurAddresses } from '../../../people/settings/our-address.queries.ts'
import {
  auditOrder,
  insertOrderStep,
  findLastOf,
  findNthLastRequest,
  hasAddressOfFinance,
} from '../order-history.queries.ts'
import { cancelForOwner } from '../close-order.ts'
import { hasMoney, mayHaveMoney } from '../order-change.queries.ts'
import { findOrder, updateOrderRow, type OrderRow } from '../order.queries.ts'
import { lockOwnOrder } from '../own-order.ts'
import { canWithdraw } from '../order.rules.ts'
import { presentWithdrawal, describeAddress } from './present-withdrawal.ts'
import { periodOfOrder } from './promised-period.ts'
import { notifyFinanceAboutWithdrawal, notifyMemberAboutWithdrawal } from './notify-about-withdrawal.ts'
import {
  readRefundAddress,
  refundChainOf,
  endOf,
  endOfRefund,
  type Period,
  isOpen,
} from './withdrawal.rules.ts'
import {
  findWithdrawalOfOrder,
  insertWithdrawal,
  readClock,
  replaceRefundAddress,
  type StoredWithdrawal,
} from './withdrawal.queries.ts'
import { auditedChanges } from '../order-fields.ts'
import { hasOpenPayment } from '../statements/returned-payment.queries.ts'
import { presentOrder } from '../present-order.ts'
import { recordingRefusedDecision, lockOtherMembersOrder } from '../require-other-members-order.ts'

/**
 * Returns a checked refund address. Rejects all addresses at which we receive payments: a refund sent there would pay
 * an order, and the payer would still be owed it.
 */
async function checkedRefundAddress(db: Tx, order: OrderRow, given: string): Promise<string> {
  const address = readRefundAddress(order, given)
  if (address !== '' && (await listOurAddresses(db, [address])).length > 0)
    throw refusedField('refundAddress', 'our_address')
  return address
}

/**
 * Whether nothing was paid and nothing is on its way. The chain or an unresolved statement line may show a payment that
 * no one reported.
 */
const isUnpaidYet = async (db: Tx, config: Config, order: OrderRow): Promise<boolean> =>
  canWithdraw(order) && !(await hasArrivedFor(db, order.id)) && !(await hasOpenPayment(db, config, order.id))

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
    canRequest:
      (stored !== undefined && (await canReplace(db, order, stored))) ||
      ((!stored || (await canRequestAgain(db, order, stored))) &&
        !(await isOver(db, order, period, await readClock(db))) &&
        (await findRequestWait(db, order.id)) === undefined),
    isUnpaid: await isUnpaidYet(db, config, order),
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
    if (earlier && !(await canRequestAgain(db, order, earlier)))
      return presentWithdrawal(await repeatRequest(db, context, { order, stored: earlier }, body))
    if (earlier) await requireRequestWithinLimit(db, order.id)
    const period = await periodOfOrder(db, config, order)
    if (await isOver(db, order, period, now)) throw new Refused('conflict')
    const isUnpaid = await isUnpaidYet(db, config, order)
    const given = body.refundAddress ?? ''
    // An unpaid order may still be paid late, and is then refunded.
    const refundAddress =
      isUnpaid && given === ''
        ? await findAddressOfMember(db, order.id)
        : await checkedRefundAddress(db, order, given)
    caller.requireStepUp()
    // Any change to the order ends a proposal to complete it.
    if (isUnpaid) await cancelForOwner(db, order, describeAddress('', refundAddress))
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

/**
 * Whether finance can start a refund: money was received for a canceled order, or may have been received for a pending
 * one, which staff often can't end in another way.
 */
export async function canRefund(db: Tx, config: Config, order: OrderRow): Promise<boolean> {
  if (order.status === 'completed') return false
  const stored = await findWithdrawalOfOrder(db, order.id)
  if (stored) return canReopen(db, order, stored)
  return order.status === 'pending' ? mayHaveMoney(db, config, order) : hasMoney(db, order)
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
      if (!(await canRefund(db, config, order))) throw new Refused('conflict')
      const given = body.refundAddress ?? ''
      const own = await findAddressOfMember(db, order.id)
      const refundAddress = given === '' ? own : await checkedRefundAddress(db, order, given)
      if (own !== '' && refundAddress !== own) throw refusedField('refundAddress', 'mismatch')
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
      const changes = describeAddress(own, refundAddress)
      await insertOrderStep(db, order.id, { kind: 'refund_opened', by: caller.memberId, reason, changes })
      await auditOrder(db, caller.memberId, 'refund-opened', order.id, {
        status: opened.state,
        ...auditedChanges(changes),
      })
      // An open statement line or a removed payment doesn't prove that there is anything to refund.
      const mail = (await hasMoney(db, order)) ? 'order-refund-opened' : 'order-refund-opened-unconfirmed'
      await notifyMemberAboutWithdrawal(db, context, mail, { order, stored: opened, reason })
      await notifyFinanceAboutWithdrawal(db, context, order)
      return presentOrder(changed)
    }),
  )
}

/** Returns the refund address that the member gave for an earlier withdrawal; empty if there is none. */
async function findAddressOfMember(db: Tx, orderId: string): Promise<string> {
  const stored = await findWithdrawalOfOrder(db, orderId)
  return (await hasAddressOfFinance(db, orderId)) ? '' : (stored?.refund_address ?? '')
}

type Given = { refundAddress?: string | undefined; note?: string | undefined }

/**
 * Answers a request for an order that has a withdrawal. The member's own address replaces one that finance entered. A
 * request that changes nothing returns the withdrawal. Any other request is rejected, because its data would be lost.
 */
async function repeatRequest(
  db: Tx,
  context: MemberContext,
  { order, stored }: { order: OrderRow; stored: StoredWithdrawal },
  { refundAddress: given = '', note = '' }: Given,
): Promise<StoredWithdrawal> {
  if (stored.state === 'refused') throw new Refused('conflict')
  if (!(await canReplace(db, order, stored))) {
    const isSameAddress =
      given === '' || (await checkedRefundAddress(db, order, given)) === stored.refund_address
    if (!isSameAddress || (note !== '' && note !== stored.note)) throw new Refused('conflict')
    return stored
  }
  const { caller } = context
  const refundAddress = await checkedRefundAddress(db, order, given)
  caller.requireStepUp()
  // Any change to the order ends a proposal, and so does another address.
  await updateOrderRow(db, order.id, {})
  const replaced = await replaceRefundAddress(db, stored.id, { refundAddress, note: note || stored.note })
  const changes = describeAddress(stored.refund_address, refundAddress)
  await insertOrderStep(db, order.id, { kind: 'withdrawal_requested', by: caller.memberId, changes })
  await auditOrder(db, caller.memberId, 'withdrawal-requested', order.id, {
    status: replaced.state,
    ...auditedChanges(changes),
  })
  await notifyMemberAboutWithdrawal(db, context, 'order-withdrawal-received', { order, stored: replaced })
  await notifyFinanceAboutWithdrawal(db, context, order)
  return replaced
}

/**
 * Whether the member can still set where the refund goes. This is possible until the refund is recorded, if the address
 * is missing, or if finance started the refund and the member hasn't requested it since.
 */
async function canReplace(db: Tx, order: OrderRow, stored: StoredWithdrawal): Promise<boolean> {
  if (!isOpen(stored.state)) return false
  if (stored.refund_address === '' && refundChainOf(order) !== null) return true
  // The member may have requested an earlier withdrawal of the order, which finance closed.
  const last = await findLastOf(db, order.id, ['refund_opened', 'withdrawal_requested'])
  return last === 'refund_opened'
}

/**
 * Whether money was received for a canceled order whose withdrawal was closed without a refund: a late payment, or an
 * order that finance canceled after it declined the withdrawal. The member can then request the refund.
 */
const canReopen = async (db: Tx, order: OrderRow, { state }: StoredWithdrawal): Promise<boolean> =>
  order.status === 'cancelled' && (state === 'unpaid' || state === 'refused') && (await hasMoney(db, order))

/**
 * Whether the member can request a withdrawal although the order has one: it was closed and can be reopened, or finance
 * started and declined it, which doesn't end the member's own right.
 */
const canRequestAgain = async (db: Tx, order: OrderRow, stored: StoredWithdrawal): Promise<boolean> =>
  (await canReopen(db, order, stored)) ||
  (stored.state === 'refused' && (await findNthLastRequest(db, order.id, 1)) === undefined)

/** How often a member can request the refund of one order, and the time in which requests count, in milliseconds. */
const requestLimit = { max: 3, window: 30 * DAY }

/** Returns the seconds until the member can request the refund again; undefined if they can now. */
async function findRequestWait(db: Tx, orderId: string): Promise<number | undefined> {
  const { max, window } = requestLimit
  const [earliest, now] = [await findNthLastRequest(db, orderId, max), Date.now()]
  const wait = earliest === undefined ? 0 : earliest.getTime() + window - now
  return wait > 0 ? Math.ceil(wait / SECOND) : undefined
}

/** Limits repeated requests, because finance has to decide on each. */
async function requireRequestWithinLimit(db: Tx, orderId: string): Promise<void> {
  const retryAfterSeconds = await findRequestWait(db, orderId)
  if (retryAfterSeconds !== undefined) throw new Refused('rate_limited', { retryAfterSeconds })
}
