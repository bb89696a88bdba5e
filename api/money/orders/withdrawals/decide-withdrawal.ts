import type { api } from '#contract/api.ts'
import type { OrderFieldChange } from '#contract/money/console-orders.ts'
import type { ConsoleWithdrawalDetail, WithdrawalAction } from '#contract/money/console-withdrawals.ts'
import { parseDecimal, shortDecimal } from '#contract/platform/decimal.ts'
import { DAY } from '#contract/platform/durations.ts'
import type { Refund } from '#contract/money/withdrawals.ts'
import { dayIn } from '../../../platform/text/format-time.ts'
import type { Config } from '../../../platform/config/config.ts'
import { transaction, type Tx } from '../../../platform/db/database.ts'
import type { Handler, MemberContext } from '../../../platform/http/handler.ts'
import { Refused, refusedField } from '../../../platform/refused.ts'
import { cancelRefunded } from '../../deliveries/create-deliveries.ts'
import { isPlainName } from '../../sale/sale.rules.ts'
import {
  auditOrder,
  insertOrderStep,
  listStepsWithTransaction,
  markDisputed,
  type OrderStep,
} from '../order-history.queries.ts'
import { requireTxId } from '../claim-transaction.ts'
import { auditedChanges } from '../order-fields.ts'
import { cancelWithdrawn } from '../close-order.ts'
import { hasOpenPayment } from '../statements/returned-payment.queries.ts'
import { isPaymentShared, requireNotReturned, requireSettled } from '../order-requirements.ts'
import { hasMoney } from '../order-change.queries.ts'
import { lockOrder, type OrderRow } from '../order.queries.ts'
import { renewDeadline } from '../order-deadline.queries.ts'
import { isUnpaid } from '../order.rules.ts'
import { notifyFinance, notifyOwner } from '../notify-owner.ts'
import { recordingRefusedDecision, lockOtherMembersOrder } from '../require-other-members-order.ts'
import { currencyOfOrder } from '../present-order.ts'
import { transactionKey } from '../payment.rules.ts'
import {
  isMissingOnChain,
  isSameCurrency,
  isWhatCame,
  refundMax,
  canDo,
  versionOf,
} from './withdrawal.rules.ts'
import {
  lockTransactionsOfOrders,
  insertRefundTransaction,
  isIncomingPayment,
  listOnlyReporting,
  listOrdersRefundedBy,
} from '../order-transaction.queries.ts'
import { describeRefundChanges, sumOfRefund, refundOf } from './present-withdrawal.ts'
import { readConsoleWithdrawal } from './read-console-withdrawals.ts'
import { notifyMemberAboutWithdrawal, type WithdrawalMail } from './notify-about-withdrawal.ts'
import { findFirstApproval, firstApprovalFor, type Deciding } from './withdrawal-approvals.ts'
import {
  decideWithdrawal,
  findOrderOfWithdrawal,
  findSeenOnChain,
  lockWithdrawal,
  writeRefund,
  type StoredWithdrawal,
  type WithdrawalApproval,
} from './withdrawal.queries.ts'

type Given = { reason?: string | undefined; updatedAt?: string | undefined }

export const acceptWithdrawal: Handler<typeof api.acceptWithdrawal> = ({ params, body }, context) =>
  act(context, params.id, { what: 'accept', given: body })

export const refuseWithdrawal: Handler<typeof api.refuseWithdrawal> = ({ params, body }, context) =>
  act(context, params.id, { what: 'refuse', given: body })

export const closeWithdrawal: Handler<typeof api.closeWithdrawal> = ({ params, body }, context) =>
  act(context, params.id, { what: 'close', given: body })

export const recordRefund: Handler<typeof api.recordRefund> = ({ params, body }, context) =>
  act(context, params.id, {
    what: 'refund',
    given: body,
    readRefund: (db, deciding) => checkedRefund(db, context, deciding, body),
  })

type Acting = {
  what: WithdrawalAction
  given: Given
  /** Reads the refund of the request, if the action records one. */
  readRefund?: (db: Tx, deciding: Deciding) => Promise<Refund>
}

/**
 * Carries out an action on a withdrawal. The order is locked before its withdrawal, as everywhere. Officers can't
 * decide on their own withdrawals, and sending money needs as many approvals as completing the order.
 */
async function act(
  context: MemberContext,
  id: string,
  { what, given, readRefund }: Acting,
): Promise<ConsoleWithdrawalDetail> {
  const { caller } = context
  const orderId = await findOrderOfWithdrawal(context.db, id)
  if (orderId === undefined) throw new Refused('not_found')
  return recordingRefusedDecision(context, orderId, () =>
    transaction(context.db, async (db) => {
      const order = await lockOtherMembersOrder(db, orderId, caller, {})
      const stored = await lockWithdrawal(db, id)
      if (isStale(what, given, order, stored) || !canDo(what, stored.state)) throw new Refused('conflict')
      // As with completing an order, flags must be resolved first. Otherwise, one payment could be refunded to one member
      // and delivered to another, or a withdrawal could be declined over a dispute that the member should win.
      requireSettled(order)
      // A returned payment must not be refunded as well, and whether it was returned affects the other actions too.
      await requireNotReturned(db, orderId)
      // If money arrived or the order was delivered, the payment must be refunded instead.
      if (what === 'close' && (await hasCome(db, context.config, order))) throw new Refused('conflict')
      const deciding = { order, stored, first: await findFirstApproval(db, context.config, stored) }
      const refund = readRefund ? await readRefund(db, deciding) : null
      const voice = { act: what, reason: given.reason ?? '', refund }
      const second = await firstApprovalFor(db, context, deciding, voice)
      if (second) await carryOut(db, context, { order, stored }, { ...voice, reason: second.reason })
      return readConsoleWithdrawal(db, context, orderId)
    }),
  )
}

/**
 * Replacing a recorded refund requires the version that the officer read. Otherwise, each of several concurrent
 * corrections would silently overwrite the one before.
 */
const isStale = (
  what: WithdrawalAction,
  { updatedAt }: Given,
  order: OrderRow,
  stored: StoredWithdrawal,
): boolean =>
  updatedAt === undefined
    ? what === 'refund' && stored.state === 'refunded'
    : updatedAt !== versionOf(stored, order.updated_at).toISOString()

type Decided = { act: WithdrawalAction; reason: string; refund: Refund | null }

const decisions = {
  accept: { state: 'accepted', kind: 'withdrawal_accepted', mail: 'order-withdrawal-accepted' },
  refuse: { state: 'refused', kind: 'withdrawal_refused', mail: 'order-withdrawal-refused' },
  close: { state: 'unpaid', kind: 'withdrawal_closed', mail: 'order-withdrawal-closed' },
} as const

async function carryOut(
  db: Tx,
  context: MemberContext,
  { order, stored }: Omit<Deciding, 'first'>,
  { act: what, reason, refund }: Decided,
): Promise<void> {
  const by = context.caller.memberId
  if (what === 'refund') {
    const refunded = await writeRefund(db, stored.id, { by, reason, refund: refund! })
    await insertRefundTransaction(db, order.id, refund!.txId)
    await cancelRefunded(db, order.id)
    await disputeReports(db, context, refund!.txId)
    const changes = describeRefundChanges(stored, refunded)
    const before = refundOf(stored) && { refundBefore: sumOfRefund(stored) }
    const sums = { refund: sumOfRefund(refunded), ...before }
    await record(
      db,
      context,
      { order, stored: refunded },
      { kind: 'refunded', mail: 'order-refunded', reason, sums, changes },
    )
    return
  }
  if (what !== 'refuse' && order.status === 'pending') await cancelWithdrawn(db, order, by)
  const { state, kind, mail } = decisions[what]
  const decided = await decideWithdrawal(db, stored.id, { state, by, reason })
  // The order had no deadline during the withdrawal, so the deadline worker would cancel it at once.
  if (what === 'refuse' && isUnpaid(order)) await renewDeadline(db, order.id, context.config.orderPayTime)
  await record(db, context, { order, stored: decided }, { kind, mail, reason })
}

/**
 * Marks orders as disputed whose members reported the refund as their payment, as if they had reported it after the
 * refund was recorded.
 */
async function disputeReports(db: Tx, context: MemberContext, txId: string): Promise<void> {
  for (const id of await listOnlyReporting(db, transactionKey(txId))) {
    await markDisputed(db, [id], id, txId)
    await insertOrderStep(db, id, { kind: 'disputed', by: null, txId })
    const order = await lockOrder(db, id)
    if (!order) continue
    await notifyOwner(db, context, 'order-disputed', { order })
    await notifyFinance(db, context, order, { kind: 'staff-order-disputed', isSeen: false })
  }
}

const audited = {
  withdrawal_accepted: 'withdrawal-accepted',
  withdrawal_refused: 'withdrawal-refused',
  withdrawal_closed: 'withdrawal-closed',
  refunded: 'withdrawal-refunded',
} as const

/** Records the action in the order's history and in the audit log, and emails the member. */
async function record(
  db: Tx,
  context: MemberContext,
  { order, stored }: Omit<Deciding, 'first'>,
  {
    kind,
    mail,
    reason,
    sums = {},
    changes = [],
  }: {
    kind: keyof typeof audited & OrderStep['kind']
    mail: WithdrawalMail
    reason: string
    sums?: { refund?: string; refundBefore?: string }
    changes?: OrderFieldChange[]
  },
): Promise<void> {
  const by = context.caller.memberId
  // The step leaves out the transaction, because a refund pays no order and must not be found as a payment.
  await insertOrderStep(db, order.id, { kind, by, reason, changes })
  await auditOrder(db, by, audited[kind], order.id, {
    status: stored.state,
    ...sums,
    ...auditedChanges(changes),
  })
  await notifyMemberAboutWithdrawal(db, context, mail, { order, stored, reason })
}

/** Whether there may be something to refund: the order was delivered, or money arrived, or a statement may show it. */
const hasCome = async (db: Tx, config: Config, order: OrderRow): Promise<boolean> =>
  order.status === 'completed' || (await hasMoney(db, order)) || (await hasOpenPayment(db, config, order.id))

type RefundBody = Parameters<Handler<typeof api.recordRefund>>[0]['body']

/** Returns the validated refund: by the original payment method, or else with a note. */
async function checkedRefund(
  db: Tx,
  { config }: Pick<MemberContext, 'config'>,
  { order, stored, first }: Deciding,
  body: RefundBody,
): Promise<Refund> {
  const coin = currencyOfOrder(order)
  const currency = readCurrency(body.currency ?? coin, coin)
  const isSameCoin = currency === coin
  const txId = isSameCoin ? requireTxId(order, body.txId) : body.txId
  const key = transactionKey(txId)
  await requireNoPayment(db, order, key)
  const known = { ...order, ...(await findSeenOnChain(db, config.chains, order.id)) }
  requireRefundableAmount(body.amount, isSameCoin ? refundMax(known) : null)
  requireRefundDay(body.paidOn, order)
  // Makes two concurrent refunds with one transaction, and a refund and a completion with one payment, run one after the
  // other.
  await lockTransactionsOfOrders(db, [order.id], [key])
  if (await isIncomingPayment(db, key)) throw refusedField('txId', 'incoming_payment')
  // This is normal for a transaction with many outputs, but a mistake for an account-based chain.
  const isOfOthers = (await listOrdersRefundedBy(db, [key])).some(({ id }) => id !== order.id)
  const isUsual =
    isSameCoin &&
    isWhatCame(known, body.amount) &&
    !isMissingOnChain(known, body.amount) &&
    stored.state !== 'refunded' &&
    !(await isPaymentShared(db, order)) &&
    !isOfOthers
  if (!isUsual && !body.reason && !isProposed(first, body)) throw refusedField('reason', 'required')
  return { amount: shortDecimal(body.amount), currency, txId, paidOn: body.paidOn }
}

/** Returns the coin as the order spells it, so that amounts can be compared and two approvals agree, or another coin. */
function readCurrency(given: string, coin: string): string {
  if (isSameCurrency(given, coin)) return coin
  if (!isPlainName(given)) throw refusedField('currency', 'plain_letters')
  return given
}

/** Rejects the ID of the payment itself, which is probably a copying mistake. */
async function requireNoPayment(db: Tx, order: OrderRow, key: string): Promise<void> {
  const named = await listStepsWithTransaction(db, order.id)
  const isPayment = key === order.tx_key || named.some(({ tx_id }) => transactionKey(tx_id) === key)
  if (key === '' || isPayment) throw refusedField('txId', 'invalid')
}

function requireRefundableAmount(amount: string, max: string | null): void {
  if (parseDecimal(amount) === 0n) throw refusedField('amount', 'too_little', { min: '0' })
  if (max !== null && parseDecimal(amount) > parseDecimal(max))
    throw refusedField('amount', 'too_much', { max })
}

/** Time zones differ by up to a day, so tomorrow's date is allowed but no later one. */
function requireRefundDay(paidOn: string, order: OrderRow): void {
  const isAhead = paidOn > new Date(Date.now() + DAY).toISOString().slice(0, 10)
  const isBefore = paidOn < dayIn('Etc/GMT+12', order.created_at)
  if (isAhead || isBefore) throw refusedField('paidOn', 'invalid')
}

/** Whether the amount was already proposed, so that the second approver needs no reason. */
const isProposed = (first: WithdrawalApproval | null, { amount }: RefundBody): boolean =>
  Boolean(first?.reason) && first?.refund?.amount === shortDecimal(amount)
