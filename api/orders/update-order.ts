import type { api } from '#contract/api.ts'
import type { Order } from '#contract/orders.ts'
import { deleteChainEvaluation } from '../chains/chain-payment.queries.ts'
import { transaction, type Tx } from '../db/database.ts'
import type { Handler } from '../http/handler.ts'
import { refusedField } from '../refused.ts'
import { auditOrder, insertOrderStep } from './order-history.queries.ts'
import { recordingRefusedClaims } from './claim-transaction.ts'
import { notifyPayable, withOwnAddress } from './receiving-address.ts'
import { auditedChanges, describeOrderChanges } from './order-fields.ts'
import { recordExceededCap } from './sale-limits.ts'
import { renewDeadline } from './order-deadline.queries.ts'
import { updateOrderRow, type OrderRow, type Proposal } from './order.queries.ts'
import { lockOtherMembersOrder, recordingRefusedDecision } from './require-other-members-order.ts'
import { isPayable, isUnpaid } from './order.rules.ts'
import { presentOrder } from './present-order.ts'
import { notifySecondApprover } from './four-eyes.ts'
import { planChange, type Change, type Changing } from './plan-change.ts'
import { auditChange, recordChange, recordEnd, type WrittenChange } from './record-change.ts'
import { requireAllowed } from './require-allowed.ts'
import { recordSeenByProposer } from './order-change.queries.ts'

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
  const { proposal } = decision ?? {}
  if (proposal?.correction) return proposeCorrection(db, stored, proposal, context)
  const becomes = proposal ? undefined : plan.asked
  const { isNowPayable, ...written } = await writeChange(db, { stored, plan, becomes, proposal }, context)
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
    proposal,
  )
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
