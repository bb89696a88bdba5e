import type { api } from '#contract/api.ts'
import type { Order } from '#contract/money/orders.ts'
import { parseDecimal } from '#contract/platform/decimal.ts'
import { deleteChainEvaluation } from '../chains/chain-payment.queries.ts'
import { transaction, type Tx } from '../../platform/db/database.ts'
import type { Handler } from '../../platform/http/handler.ts'
import { refusedField } from '../../platform/refused.ts'
import { auditOrder, insertOrderStep, recordDeliveryChange, type OrderStep } from './order-history.queries.ts'
import { recordingRefusedClaims } from './claim-transaction.ts'
import { notifyPayable, withOwnAddress } from './receiving-address.ts'
import { auditedChanges, describeOrderChanges } from './order-fields.ts'
import { recordExceededCap, findReceived } from './order-requirements.ts'
import { renewDeadline } from './order-deadline.queries.ts'
import { holdNewAddress, updateOrderRow, type OrderRow, type Proposal } from './order.queries.ts'
import { lockOtherMembersOrder, recordingRefusedDecision } from './require-other-members-order.ts'
import { isPayable, isUnpaid } from './order.rules.ts'
import { currencyOfOrder, presentOrder } from './present-order.ts'
import { notifySecondApprover, recordOvertakenProposal, type Decision } from './four-eyes.ts'
import { planChange, type Change, type Changing, type Plan } from './plan-change.ts'
import { requireAllowed } from './require-allowed.ts'
import { findPaidOnChain, hasMoney, isMoneyRecorded, recordSeenByProposer } from './order-change.queries.ts'
import { notifyOwner } from './notify-owner.ts'
import {
  findWithdrawalOfOrder,
  isBeingWithdrawn,
  markPaidAgain,
  type Covered,
  type StoredWithdrawal,
} from './withdrawals/withdrawal.queries.ts'
import { isSameCurrency } from './withdrawals/withdrawal.rules.ts'

export const updateOrder: Handler<typeof api.updateOrder> = ({ body }, context) =>
  recordingRefusedDecision(context, body._id, () =>
    recordingRefusedClaims(context, body._id, () =>
      transaction(context.db, async (db) => {
        const stored = await lockOtherMembersOrder(db, body._id, context.caller, body)
        if (body.memberId !== undefined && body.memberId !== stored.member_id)
          throw refusedField('memberId', 'mismatch')
        return changeOrder(db, stored, body, context)
      }),
    ),
  )

/** Completes or corrects a locked order. Every such change goes through this function. */
export async function changeOrder(db: Tx, stored: OrderRow, body: Change, context: Changing): Promise<Order> {
  const plan = await planChange(db, stored, body)
  const decision = plan && (await requireAllowed(db, { stored, body, plan }, context))
  // Step-up authentication comes last, so that no one has to prove their identity for a request that fails anyway.
  context.caller.requireStepUp?.()
  if (!plan) return presentOrder(stored)
  const { proposal, isApproval } = decision ?? {}
  // This request ends an open proposal, so its author learns of it now.
  if (!isApproval) await recordOvertakenProposal(db, context, stored, stored.completion_proposed_by)
  if (proposal?.correction) return proposeCorrection(db, stored, proposal, context)
  const becomes = proposal ? undefined : plan.asked
  const done = becomes === 'completed' ? await withPaymentOnChain(db, stored, plan) : plan
  const { isNowPayable, ...written } = await writeChange(
    db,
    { stored, plan: done, becomes, proposal },
    context,
  )
  const { order } = written
  await recordChange(db, written, context)
  await recordExceededCap(db, order, plan.excess, context)
  if (isNowPayable) await notifyPayable(db, context, order, context.caller.memberId)
  await recordEnd(db, written, decision ?? {}, context)
  await auditChange(db, written, context)
  if (proposal) {
    await recordSeenByProposer(db, stored.id)
    await insertOrderStep(db, stored.id, {
      kind: 'completion_proposed',
      by: context.caller.memberId,
      reason: plan.reason,
    })
    await auditOrder(db, context.caller.memberId, 'order-completion-proposed', stored.id)
    await notifySecondApprover(db, context, order, proposal)
  }
  return presentOrder(order)
}

/**
 * Adds the payment that the chain shows to a completion that states none, so that what was received is stored with every
 * completed order.
 */
async function withPaymentOnChain(db: Tx, stored: OrderRow, plan: Plan): Promise<Plan> {
  if (plan.paid.paidAmount !== undefined || stored.paid_amount !== null) return plan
  const seen = await findPaidOnChain(db, stored.id)
  if (!seen) return plan
  const { paidAt = stored.paid_at ?? seen.confirmedAt } = plan.paid
  const paid = { paidAmount: seen.received, ...(paidAt && { paidAt }) }
  return { ...plan, paid, names: [...new Set([...plan.names, ...Object.keys(paid)])] }
}

async function proposeCorrection(
  db: Tx,
  stored: OrderRow,
  proposal: Proposal,
  context: Changing,
): Promise<Order> {
  const { by, reason, correction = {} } = proposal
  const row = await updateOrderRow(db, stored.id, {}, proposal)
  await recordSeenByProposer(db, stored.id)
  const changes = describeOrderChanges(stored, correction)
  await insertOrderStep(db, stored.id, { kind: 'correction_proposed', by, reason, changes })
  await auditOrder(db, by, 'order-correction-proposed', stored.id, {
    fields: Object.keys(correction).toSorted(),
    ...auditedChanges(changes),
  })
  await notifySecondApprover(db, context, row, proposal)
  return presentOrder(row)
}

/** A change that was written to an order. */
type WrittenChange = {
  stored: OrderRow
  order: OrderRow
  plan: Plan
  /** The order's new status. A proposal leaves the status as it is. */
  becomes: Plan['asked']
  hasMoreTime: boolean
}

/** Nothing is sent to a replaced address for some time, whoever replaced it. */
async function holdReplacedAddress(
  db: Tx,
  stored: OrderRow,
  { fabAddress }: Plan['change'],
  { deliveryCoolingTime }: Changing['config'],
): Promise<void> {
  if (fabAddress !== undefined && stored.fab_address !== '')
    await holdNewAddress(db, stored.id, deliveryCoolingTime)
}

async function writeChange(
  db: Tx,
  {
    stored,
    plan,
    becomes,
    proposal,
  }: Pick<WrittenChange, 'stored' | 'plan' | 'becomes'> & { proposal: Proposal | undefined },
  { config }: Changing,
): Promise<WrittenChange & { isNowPayable: boolean }> {
  const { change, way, claim, settled, paid, sharesTransaction } = plan
  const writtenRow = await updateOrderRow(
    db,
    stored.id,
    {
      ...change,
      ...way,
      ...claim,
      ...(sharesTransaction && { sharesTransaction }),
      ...settled,
      ...paid,
      ...(becomes && { status: becomes }),
    },
    proposal ?? null,
  )
  await holdReplacedAddress(db, stored, change, config)
  if (change.payMethod !== undefined) await deleteChainEvaluation(db, stored.id)
  const changedRow = change.payMethod ? await withOwnAddress(db, config, writtenRow) : writtenRow
  // Renews the deadline if the order is unpaid again, so that the deadline worker does not cancel it at once.
  const isRenewed = !isUnpaid(stored) || change.payMethod !== undefined
  const isWaiting = isUnpaid(changedRow)
  const order =
    isWaiting && (isRenewed || isPayable(stored) !== isPayable(changedRow))
      ? await renewDeadline(db, stored.id, config.orderPayTime)
      : changedRow
  const isNowPayable = isWaiting && !isPayable(stored) && isPayable(order)
  const hasMoreTime =
    !isNowPayable && order.pay_before !== null && order.pay_before.getTime() !== stored.pay_before?.getTime()
  return { stored, order, plan, becomes, isNowPayable, hasMoreTime }
}

/** Records the steps of the order's history, and emails the member about a correction or a reported transaction. */
async function recordChange(db: Tx, written: WrittenChange, context: Changing): Promise<void> {
  const { stored, order, plan, hasMoreTime } = written
  const { claim, reason, told } = plan
  const step = (kind: OrderStep['kind'], of: Partial<OrderStep>) =>
    insertOrderStep(db, order.id, { ...of, kind, by: context.caller.memberId })
  if (plan.isReplaced) await step('transaction_taken', { txId: stored.tx_id })
  if (plan.sharesTransaction) await step('transaction_shared', { reason })
  if (claim?.txId && stored.status === 'pending') await step('payment_reported', { txId: claim.txId })
  const payment = paymentStep(written)
  if (payment) await step('payment_recorded', payment)
  await recordPaidAgain(db, context, written)
  if (isCorrection(written)) {
    await step('corrected', correctionStep(written))
    await recordDeliveryChange(db, order, Object.keys(plan.change))
    await notifyOwner(db, context, 'order-corrected', { order, reason: told, before: stored })
    if (hasMoreTime) await step('deadline_extended', {})
  } else await notifyAboutPayment(db, context, written)
}

function isCorrection({ plan, becomes }: WrittenChange): boolean {
  const isNews = plan.filled.length > 0 || Object.keys(plan.settled).length > 0
  return plan.corrected.length > 0 || plan.isTakenBack || (isNews && !becomes)
}

const hasPayment = ({ paid }: Plan): boolean => Object.keys(paid).length > 0

/** If a payment is taken back by a correction, the step of the correction includes it. */
const isPaymentRecorded = (written: WrittenChange): boolean =>
  hasPayment(written.plan) && !(written.plan.isTakenBack && isCorrection(written))

/** The transaction reported for an order that is no longer pending. */
const claimOfClosed = ({ stored, plan: { claim } }: WrittenChange): string =>
  stored.status === 'pending' ? '' : (claim?.txId ?? '')

/** Returns the step of a recorded payment, of a note, or of a transaction reported for a closed order. */
function paymentStep(written: WrittenChange): Partial<OrderStep> | undefined {
  const { asked, paid, claim, reason, sharesTransaction } = written.plan
  const isRecorded = isPaymentRecorded(written)
  // The reason for a recorded payment is an internal note and appears only in the staff history.
  const isNote = reason !== '' && !asked && !isCorrection(written) && !sharesTransaction
  // Keeps a record of every transaction reported for an order, even a closed one.
  const ofClosed = isCorrection(written) ? '' : claimOfClosed(written)
  if (!isRecorded && !isNote && !ofClosed) return undefined
  // A note concerns the reported transaction and is not a separate payment.
  const txId = isRecorded ? ofClosed : claim?.txId
  return {
    reason: asked ? '' : reason,
    ...(txId && { txId }),
    changes: isRecorded ? describeOrderChanges(written.stored, paid) : [],
  }
}

function correctionStep(written: WrittenChange): Partial<OrderStep> {
  const { stored, plan, becomes } = written
  const { change, claim, paid, settled, isReplaced, told } = plan
  const txId = claimOfClosed(written)
  const isPaymentToo = hasPayment(plan) && !isPaymentRecorded(written)
  return {
    reason: becomes ? '' : told,
    ...(txId && { txId }),
    changes: describeOrderChanges(stored, {
      ...change,
      ...(isReplaced && claim),
      ...(isPaymentToo && paid),
      ...settled,
    }),
  }
}

/** Emails the member about a payment that no correction tells them about. */
async function notifyAboutPayment(
  db: Tx,
  context: Changing,
  { stored, order, plan: { claim, told }, becomes }: WrittenChange,
): Promise<void> {
  const [before, after] = [stored, order].map(({ paid_amount }) => parseDecimal(paid_amount ?? '0'))
  // The member sees the amount received, and it limits a refund.
  if (after! < before!)
    await notifyOwner(db, context, 'order-corrected', { order, reason: told, before: stored })
  // The email about the completed or canceled order covers everything else.
  else if (becomes) return
  else if (order.status === 'cancelled' && (await isFirstMoney(db, stored, order))) {
    // The order stays canceled, so the money waits until the member asks for it. After a request or a refund, finance
    // only completes the records, and the emails about the withdrawal have told the member what happens.
    if (!(await isBeingWithdrawn(db, order.id)))
      await notifyOwner(db, context, 'order-paid-cancelled', { order })
  } else if (claim) {
    // Nothing more happens to a closed order that the member should wait for.
    const mail = order.status === 'pending' ? 'order-payment-reported' : 'order-transaction-added'
    await notifyOwner(db, context, mail, { order })
  }
}

/**
 * Records that more is received than when the order was refunded, and emails the member if the refund doesn't cover it.
 * If no amount was recorded before a refund in another coin, the entry may only complete the records.
 */
async function recordPaidAgain(
  db: Tx,
  context: Changing,
  { stored, order }: Pick<WrittenChange, 'stored' | 'order'>,
): Promise<void> {
  const [before, after] = [stored, order].map(({ paid_amount }) => parseDecimal(paid_amount ?? '0'))
  if (after! <= before!) return
  const withdrawal = await findWithdrawalOfOrder(db, order.id)
  if (withdrawal?.state !== 'refunded') return
  const refund = withdrawal.refund_amount ?? '0'
  const isSameCoin = isSameCurrency(withdrawal.refund_currency, currencyOfOrder(order))
  if (!isSameCoin && stored.paid_amount === null) return
  await markPaidAgain(db, withdrawal.id, coveredBy(withdrawal, stored.paid_amount ?? refund, isSameCoin))
  if (!isSameCoin || after! > parseDecimal(refund))
    await notifyOwner(db, context, 'order-paid-again', { order })
}

/**
 * Returns what the refund covered before the first further payment. Amounts of different coins can't be compared, so a
 * refund in another coin must grow with each further payment.
 */
function coveredBy(withdrawal: StoredWithdrawal, paid: string, isSameCoin: boolean): Covered {
  const { covered_payment: first, covering_refund: refund, covering_currency: currency } = withdrawal
  const isKnown =
    isSameCoin && refund !== null && currency !== null && isSameCurrency(currency, withdrawal.refund_currency)
  return {
    payment: first ?? paid,
    refund: isKnown ? refund : (withdrawal.refund_amount ?? '0'),
    currency: isKnown ? currency : withdrawal.refund_currency,
  }
}

/** Whether the change records the first payment of the order, with its amount or only its date. */
const isFirstMoney = async (db: Tx, stored: OrderRow, order: OrderRow): Promise<boolean> =>
  !(await isMoneyRecorded(db, stored)) && (await isMoneyRecorded(db, order))

const endMails = {
  completed: { paid: 'order-completed', unpaid: 'order-completed-unpaid' },
  cancelled: { paid: 'order-cancelled-paid', unpaid: 'order-cancelled' },
} as const

/** Records that the change completed or canceled the order, and emails the member. */
async function recordEnd(
  db: Tx,
  written: WrittenChange,
  { aloneQuantity }: Decision,
  context: Changing,
): Promise<void> {
  const { stored, order, plan, becomes } = written
  if (becomes !== 'completed' && becomes !== 'cancelled') return
  const { told, change, settled } = plan
  // The second approver may have nothing to add to the reason of the first.
  const why = told || (becomes === 'completed' ? stored.completion_reason : '')
  await insertOrderStep(db, order.id, {
    kind: becomes,
    by: context.caller.memberId,
    reason: why,
    changes: isCorrection(written) ? [] : describeOrderChanges(stored, { ...change, ...settled }),
    aloneQuantity: aloneQuantity ?? null,
  })
  // The order page offers a refund of a part or surplus, too, so the email about a cancellation must not deny the money.
  const isPaid =
    becomes === 'cancelled' ? await hasMoney(db, order) : (await findReceived(db, order)) !== undefined
  const mail = endMails[becomes][isPaid ? 'paid' : 'unpaid']
  await notifyOwner(db, context, mail, { order, reason: why })
}

async function auditChange(
  db: Tx,
  { stored, order, plan: { names, change, claim, paid, settled }, becomes }: WrittenChange,
  { caller }: Changing,
): Promise<void> {
  if (names.length === 0 && !becomes) return
  const changes = describeOrderChanges(stored, { ...change, ...claim, ...paid, ...settled })
  await auditOrder(db, caller.memberId, 'order-updated', order.id, {
    status: order.status,
    fields: [...names, ...(becomes ? ['status'] : [])].toSorted(),
    ...auditedChanges(changes),
  })
}
