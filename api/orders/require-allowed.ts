import type { Tx } from '../db/database.ts'
import { recordFourEyes } from '../four-eyes/record-changes.ts'
import { getMemberById } from '../members/member.queries.ts'
import { Refused, refusedField } from '../refused.ts'
import { requireCompletable, requireNotReturned } from './completing.ts'
import { isSecondApproval, needsCorrectionApproval } from './correction-approval.ts'
import { requireConfirmedExcess } from './exceeded-cap.ts'
import { listDeliveriesChangedBy } from './changed-delivery.queries.ts'
import { largestQuantity } from './largest-quantity.queries.ts'
import type { OrderRow } from './order.queries.ts'
import { hasLeftChain } from './paid-on-chain.queries.ts'
import { findRate, requireQuantityAtRate } from './quantity-at-rate.ts'
import { requireCancellable } from './require-cancellable.ts'
import { requireNotSelfPriced } from './require-not-self-priced.ts'
import { isCoveredOnChain, requirePayment, type Payment } from './require-payment.ts'
import { decideCompletion, isApprovalValid, type Decision } from './four-eyes.ts'
import { requireNotWithdrawn } from './withdrawals/require-not-withdrawn.ts'
import type { Change, Changing, Plan } from './plan-change.ts'

type Requested = { stored: OrderRow; body: Change; plan: Plan }

/** Rejects a change that the order does not allow. Returns a proposal if the change needs a second approval. */
export async function requireAllowed(
  db: Tx,
  { stored, body, plan }: Requested,
  context: Changing,
): Promise<Decision> {
  const { change, asked, settled, paid, reason } = plan
  // A block's clock may be ahead of ours; an officer's entry must not be.
  if (!context.hasEvidence && paid.paidAt && paid.paidAt.getTime() > Date.now())
    throw refusedField('paidAt', 'future')
  // Recorded in both cases, so that staff notice when the check is turned off.
  if (stored.status === 'completed') await recordFourEyes(db, context)
  if (await needsCorrectionApproval(db, context.config, stored, { ...change, ...paid }))
    return correctionProposal(db, { stored, body, plan }, context)
  requireExplained(stored, plan)
  await requireNotSelfPriced(db, stored, plan)
  if (asked === 'cancelled') await requireCancellable(db, stored, { settled, reason }, context)
  await requireQuantityAtRate(db, context.config, stored, { ...body, change })
  plan.excess = await requireConfirmedExcess(db, stored, change.fabQty, { ...body, reason })
  return asked === 'completed' ? completionProposal(db, stored, { ...plan, body }, context) : {}
}

/** Rejects a completion that is not allowed. Returns a proposal if it needs a second approval. */
async function completionProposal(
  db: Tx,
  stored: OrderRow,
  plan: Plan & { body: Change },
  context: Changing,
): Promise<Decision> {
  const { change, corrected, settled, paid, isTakenBack, names } = plan
  const { amount = stored.amount, fabQty = stored.fab_qty } = change
  const { rate } = stored
  // The member ended all dealings, and no one can be told that tokens were sent.
  if ((await getMemberById(db, stored.member_id)).erased_at) throw refusedField('memberId', 'unknown')
  await requireNotWithdrawn(db, stored.id)
  await requireNotReturned(db, stored.id, plan.claim?.txId)
  requireCompletable(stored, settled, isTakenBack ? [...corrected, ...Object.keys(paid)] : corrected)
  const { received, evidence } = await requirePaymentFor(db, stored, { ...plan, due: amount }, context)
  const completing = {
    amount,
    fabQty: await largestQuantity(db, { id: stored.id, fab_qty: fabQty }),
    rate: (await findRate(db, stored, change)) ?? null,
    received,
    isCovered: isCoveredOnChain(evidence, { amount, fabQty, rate }),
    isChangedByOfficer: (await listDeliveriesChangedBy(db, context.caller.memberId, [stored.id])).has(
      stored.id,
    ),
    changesMore: names.length > 0,
    reason: plan.told,
  }
  return decideCompletion(db, stored, completing, context)
}

/** A recorded payment that left the chain must be stated again: in this request, or in a proposal that still counts. */
async function requirePaymentFor(
  db: Tx,
  stored: OrderRow,
  { due, paid, reason, body }: Pick<Plan, 'paid' | 'reason'> & { due: string | null; body: Change },
  { config, hasEvidence }: Changing,
): Promise<Payment> {
  const isApproved = await isApprovalValid(db, config, stored)
  const given = {
    due,
    paid,
    reason: reason || (isApproved ? stored.completion_reason : ''),
    hasEvidence: hasEvidence ?? false,
  }
  if (isApproved || !(await hasLeftChain(db, stored.id))) return requirePayment(db, config, stored, given)
  const { paidAmount } = body
  return requirePayment(
    db,
    config,
    { ...stored, paid_amount: null },
    { ...given, paid: typeof paidAmount === 'string' ? { paidAmount } : {} },
  )
}

function requireExplained(
  stored: OrderRow,
  { corrected, settled, isTakenBack, reason }: Pick<Plan, 'corrected' | 'settled' | 'isTakenBack' | 'reason'>,
): void {
  const isExplained =
    corrected.length > 0 || Object.keys(settled).length > 0 || isTakenBack || stored.status !== 'pending'
  if (isExplained && reason === '') throw refusedField('reason', 'required')
}

/** The first officer proposes the correction; it takes effect when a second officer sends the same values. */
async function correctionProposal(
  db: Tx,
  { stored, body, plan }: Requested,
  context: Changing,
): Promise<Decision> {
  const { change, paid, names, reason, asked } = plan
  // Amounts received are proposed separately from other fields of the order.
  const correction = Object.keys(change).length > 0 ? change : paid
  // The proposal covers exactly these fields, so nothing else can pass with them.
  const others = names.filter(
    (name) => !Object.hasOwn(correction, name) || (name === 'payMethod' && names.length > 1),
  )
  if (others.length > 0 || asked)
    throw new Refused('validation_failed', {
      fields: others.map((path) => ({ path, code: 'separately' as const })),
    })
  if (await isSecondApproval(db, stored, correction, context)) {
    plan.told = reason || stored.completion_reason
    plan.excess = await requireConfirmedExcess(db, stored, change.fabQty, { ...body, reason: plan.told })
    return {}
  }
  requireExplained(stored, plan)
  await requireQuantityAtRate(db, context.config, stored, { ...body, change })
  await requireConfirmedExcess(db, stored, change.fabQty, { ...body, reason })
  return { proposal: { by: context.caller.memberId!, reason, correction } }
}
