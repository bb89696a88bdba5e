import { DAY, SECOND } from '#contract/durations.ts'
import type { Tx } from '../../db/database.ts'
import type { MemberContext } from '../../http/handler.ts'
import { Refused } from '../../refused.ts'
import { auditOrder } from '../audit-order.ts'
import { auditedChanges } from '../describe-order-changes.ts'
import { hasMoney } from '../money-received.queries.ts'
import { findNthLastStep, hasStep, insertOrderStep } from '../order-step.queries.ts'
import { updateOrderRow, type OrderRow } from '../order.queries.ts'
import { describeAddress } from './describe-refund-changes.ts'
import { notifyFinanceAboutWithdrawal, notifyMemberAboutWithdrawal } from './notify-about-withdrawal.ts'
import { checkedRefundAddress, refundChainOf } from './refund-address.ts'
import { replaceRefundAddress, type StoredWithdrawal } from './withdrawal.queries.ts'
import { isOpen } from './withdrawal.rules.ts'

type Given = { refundAddress?: string | undefined; note?: string | undefined }

/**
 * Whether the member can still set where the refund goes. This is possible until the refund is recorded, if the address
 * is missing, or if finance started the refund and the member hasn't requested it.
 */
export async function canReplace(db: Tx, order: OrderRow, stored: StoredWithdrawal): Promise<boolean> {
  if (!isOpen(stored.state)) return false
  if (stored.refund_address === '' && refundChainOf(order) !== null) return true
  return (
    (await hasStep(db, order.id, 'refund_opened')) && !(await hasStep(db, order.id, 'withdrawal_requested'))
  )
}

/**
 * Whether money was received for a canceled order whose withdrawal was closed without a refund: a late payment, or an
 * order that finance canceled after it declined the withdrawal. The member can then request the refund.
 */
export const canReopen = async (db: Tx, order: OrderRow, { state }: StoredWithdrawal): Promise<boolean> =>
  order.status === 'cancelled' && (state === 'unpaid' || state === 'refused') && (await hasMoney(db, order))

/** How often a member can request the refund of one order, and the time in which requests count, in milliseconds. */
const requestLimit = { max: 3, window: 30 * DAY }

/** Returns the seconds until the member can request the refund again; undefined if they can now. */
export async function findRequestWait(db: Tx, orderId: string): Promise<number | undefined> {
  const { max, window } = requestLimit
  const [earliest, now] = [await findNthLastStep(db, orderId, 'withdrawal_requested', max), Date.now()]
  const wait = earliest === undefined ? 0 : earliest.getTime() + window - now
  return wait > 0 ? Math.ceil(wait / SECOND) : undefined
}

/** Limits repeated requests, because finance has to decide on each. */
export async function requireRequestWithinLimit(db: Tx, orderId: string): Promise<void> {
  const retryAfterSeconds = await findRequestWait(db, orderId)
  if (retryAfterSeconds !== undefined) throw new Refused('rate_limited', { retryAfterSeconds })
}

/**
 * Answers a request for an order that has a withdrawal. The member's own address replaces one that finance entered. A
 * request that changes nothing returns the withdrawal. Any other request is rejected, because its data would be lost.
 */
export async function repeatRequest(
  db: Tx,
  context: MemberContext,
  { order, stored }: { order: OrderRow; stored: StoredWithdrawal },
  { refundAddress: given = '', note = '' }: Given,
): Promise<StoredWithdrawal> {
  if (stored.state === 'refused') throw new Refused('conflict')
  if (!(await canReplace(db, order, stored))) {
    const isSameAddress = given === '' || checkedRefundAddress(order, given) === stored.refund_address
    if (!isSameAddress || (note !== '' && note !== stored.note)) throw new Refused('conflict')
    return stored
  }
  const { caller } = context
  const refundAddress = checkedRefundAddress(order, given)
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
