import { parseDecimal, shortDecimal } from '#contract/decimal.ts'
import type { Tx } from '../db/database.ts'
import { auditOrder, insertOrderStep, type OrderStep } from './order-history.queries.ts'
import { auditedChanges, describeOrderChanges } from './order-fields.ts'
import { notifyOwner } from './notify-owner.ts'
import type { OrderRow } from './order.queries.ts'
import { findReceived } from './completing.ts'
import type { Changing, Plan } from './plan-change.ts'
import type { Decision } from './four-eyes.ts'
import { deliveryFields } from '#contract/webhook-events.ts'
import { recordEvent } from '../webhooks/event.queries.ts'

/** A change that was written to an order. */
export type WrittenChange = {
  stored: OrderRow
  order: OrderRow
  plan: Plan
  /** The order's new status. A proposal leaves the status as it is. */
  becomes: Plan['asked']
  hasMoreTime: boolean
}

/** Records the steps of the order's history, and emails the member about a correction or a reported transaction. */
export async function recordChange(db: Tx, written: WrittenChange, context: Changing): Promise<void> {
  const { stored, order, plan, becomes, hasMoreTime } = written
  const { claim, reason, told } = plan
  const step = (kind: OrderStep['kind'], of: Partial<OrderStep>) =>
    insertOrderStep(db, order.id, { ...of, kind, by: context.caller.memberId })
  if (plan.isReplaced) await step('transaction_taken', { txId: stored.tx_id })
  if (plan.sharesTransaction) await step('transaction_shared', { reason })
  if (claim?.txId && stored.status === 'pending') await step('payment_reported', { txId: claim.txId })
  const payment = paymentStep(written)
  if (payment) await step('payment_recorded', payment)
  if (isCorrection(written)) {
    await step('corrected', correctionStep(written))
    await recordCorrected(db, written)
    await notifyOwner(db, context, 'order-corrected', { order, reason: told, before: stored })
    if (hasMoreTime) await step('deadline_extended', {})
  } else if (!becomes) await notifyAboutPayment(db, context, written)
}

function isCorrection({ plan, becomes }: WrittenChange): boolean {
  const isNews = plan.filled.length > 0 || Object.keys(plan.settled).length > 0 || plan.isTakenBack
  return plan.corrected.length > 0 || (isNews && !becomes)
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
  const { change, claim, paid, isReplaced, told } = plan
  const txId = claimOfClosed(written)
  const isPaymentToo = hasPayment(plan) && !isPaymentRecorded(written)
  return {
    reason: becomes ? '' : told,
    ...(txId && { txId }),
    changes: describeOrderChanges(stored, {
      ...change,
      ...(isReplaced && claim),
      ...(isPaymentToo && paid),
    }),
  }
}

/** Emails the member about a payment that no correction tells them about. */
async function notifyAboutPayment(
  db: Tx,
  context: Changing,
  { stored, order, plan: { claim, told } }: WrittenChange,
): Promise<void> {
  const [before, after] = [stored, order].map(({ paid_amount }) => parseDecimal(paid_amount ?? '0'))
  // The member was told that we received the full amount.
  if (order.status === 'completed' && after! < before!)
    await notifyOwner(db, context, 'order-corrected', { order, reason: told, before: stored })
  // The order stays canceled, so the money waits until the member asks for it.
  else if (order.status === 'cancelled' && before === 0n && after! > 0n)
    await notifyOwner(db, context, 'order-paid-cancelled', { order })
  else if (claim) await notifyOwner(db, context, 'order-payment-reported', { order })
}

const endMails = {
  completed: { paid: 'order-completed', unpaid: 'order-completed-unpaid' },
  cancelled: { paid: 'order-cancelled-paid', unpaid: 'order-cancelled' },
} as const

/** Records that the change completed or canceled the order, and emails the member. */
export async function recordEnd(
  db: Tx,
  { stored, order, plan, becomes }: WrittenChange,
  { aloneQuantity = null }: Decision,
  context: Changing,
): Promise<void> {
  if (becomes !== 'completed' && becomes !== 'cancelled') return
  const { told, change, corrected } = plan
  // The second approver may have nothing to add to the reason of the first.
  const why = told || (becomes === 'completed' ? stored.completion_reason : '')
  await insertOrderStep(db, order.id, {
    kind: becomes,
    by: context.caller.memberId,
    reason: why,
    changes: corrected.length > 0 ? [] : describeOrderChanges(stored, change),
    aloneQuantity,
  })
  const isPaid = (await findReceived(db, order)) !== undefined
  const mail = endMails[becomes][isPaid ? 'paid' : 'unpaid']
  await notifyOwner(db, context, mail, { order, reason: why })
}

export async function auditChange(
  db: Tx,
  { stored, order, plan: { names, change, claim, paid }, becomes }: WrittenChange,
  { caller }: Changing,
): Promise<void> {
  if (names.length === 0 && !becomes) return
  const changes = describeOrderChanges(stored, { ...change, ...claim, ...paid })
  await auditOrder(db, caller.memberId, 'order-updated', order.id, {
    status: order.status,
    fields: [...names, ...(becomes ? ['status'] : [])].toSorted(),
    ...auditedChanges(changes),
  })
}

type Corrected = { stored: OrderRow; order: OrderRow; plan: Pick<Plan, 'change'> }

/** Queues the webhook event if the correction changes what a completed order delivers, or where. */
async function recordCorrected(db: Tx, { stored, order, plan }: Corrected): Promise<void> {
  const fields = deliveryFields.filter((field) => plan.change[field] !== undefined)
  if (stored.status !== 'completed' || fields.length === 0) return
  await recordEvent(db, 'order.corrected', order.id, {
    orderId: order.id,
    memberId: order.member_id,
    fields,
    fabQty: order.fab_qty && shortDecimal(order.fab_qty),
    correctedAt: order.updated_at.toISOString(),
  })
}
