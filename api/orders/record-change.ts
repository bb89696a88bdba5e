import { parseDecimal } from '#contract/decimal.ts'
import type { Tx } from '../db/database.ts'
import { auditOrder } from './audit-order.ts'
import { auditedChanges, describeOrderChanges } from './describe-order-changes.ts'
import { notifyOwner } from './notify-owner.ts'
import { insertOrderStep, type OrderStep } from './order-step.queries.ts'
import type { OrderRow } from './order.queries.ts'
import { findReceived } from './require-payment.ts'
import type { Changing, Plan } from './plan-change.ts'
import type { Decision } from './four-eyes.ts'

/** Records the steps of the order's history, and emails the member about a correction or a reported transaction. */
export async function recordChange(
  db: Tx,
  { stored, order, hasMoreTime }: { stored: OrderRow; order: OrderRow; hasMoreTime: boolean },
  plan: Plan,
  becomes: Plan['asked'],
  context: Changing,
): Promise<void> {
  const { claim, settled, paid, asked, filled, corrected, isReplaced, isTakenBack, reason, told } = plan
  const step = (kind: OrderStep['kind'], of: Partial<OrderStep>) =>
    insertOrderStep(db, order.id, { ...of, kind, by: context.caller.memberId })
  if (isReplaced) await step('transaction_taken', { txId: stored.tx_id })
  if (plan.sharesTransaction) await step('transaction_shared', { reason })
  if (claim?.txId && stored.status === 'pending') await step('payment_reported', { txId: claim.txId })
  const isNews = filled.length > 0 || Object.keys(settled).length > 0 || isTakenBack
  const isCorrection = corrected.length > 0 || (isNews && !becomes)
  // The reason for a recorded payment is an internal note and appears only in the staff history.
  const isNote = reason !== '' && !asked && !isCorrection && !plan.sharesTransaction
  // Keeps a record of every transaction reported for an order, even a closed one.
  const ofClosed = claim?.txId && stored.status !== 'pending' ? { txId: claim.txId } : {}
  const isRecorded = Object.keys(paid).length > 0 && !(isTakenBack && isCorrection)
  // A note concerns the reported transaction and is not a separate payment.
  const noted = isRecorded || !claim?.txId ? {} : { txId: claim.txId }
  if (isRecorded || isNote || (ofClosed.txId && !isCorrection))
    await step('payment_recorded', {
      reason: asked ? '' : reason,
      ...noted,
      ...(!isCorrection && ofClosed),
      changes: isRecorded ? describeOrderChanges(stored, paid) : [],
    })
  if (isCorrection) {
    const isPaymentToo = !isRecorded && Object.keys(paid).length > 0
    await step('corrected', {
      reason: becomes ? '' : told,
      ...ofClosed,
      changes: describeOrderChanges(stored, {
        ...plan.change,
        ...(isReplaced && claim),
        ...(isPaymentToo && paid),
      }),
    })
    await notifyOwner(db, context, order, 'order-corrected', told, stored)
    if (hasMoreTime) await step('deadline_extended', {})
  } else if (!becomes) await notifyAboutPayment(db, context, { stored, order }, plan)
}

/** Emails the member about a payment that no correction tells them about. */
async function notifyAboutPayment(
  db: Tx,
  context: Changing,
  { stored, order }: { stored: OrderRow; order: OrderRow },
  { claim, told }: Plan,
): Promise<void> {
  const [before, after] = [stored, order].map(({ paid_amount }) => parseDecimal(paid_amount ?? '0'))
  // The member was told that we received the full amount.
  if (order.status === 'completed' && after! < before!)
    await notifyOwner(db, context, order, 'order-corrected', told, stored)
  // The order stays canceled, so the money waits until the member asks for it.
  else if (order.status === 'cancelled' && before === 0n && after! > 0n)
    await notifyOwner(db, context, order, 'order-paid-cancelled')
  else if (claim) await notifyOwner(db, context, order, 'order-payment-reported')
}

const endMails = {
  completed: { paid: 'order-completed', unpaid: 'order-completed-unpaid' },
  cancelled: { paid: 'order-cancelled-paid', unpaid: 'order-cancelled' },
} as const

export async function recordEnd(
  db: Tx,
  { stored, order }: { stored: OrderRow; order: OrderRow },
  becomes: 'completed' | 'cancelled',
  { told, change, corrected, aloneQuantity = null }: Plan & Decision,
  context: Changing,
): Promise<void> {
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
  await notifyOwner(db, context, order, mail, why)
}

export async function auditChange(
  db: Tx,
  order: OrderRow,
  { names, stored, change, claim, paid }: Plan & { stored: OrderRow },
  becomes: Plan['asked'],
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
