import type { CancellingNeed } from '#contract/money/console-orders.ts'
import { parseDecimal } from '#contract/platform/decimal.ts'
import { deliveryFields } from '#contract/integrations/webhook-events.ts'
import type { Tx } from '../../platform/db/database.ts'
import { recordFourEyes } from '../../people/four-eyes/record-changes.ts'
import { getMemberById } from '../../people/members/member.queries.ts'
import { Refused, refusedField } from '../../platform/refused.ts'
import {
  requireCompletable,
  requireNotReturned,
  isCoveredOnChain,
  requirePayment,
  type Payment,
  requireSettled,
  requireConfirmedExcess,
  readSaleRates,
  coversPrice,
  requireQuantityAtRate,
  requireNoSelfPricing,
} from './order-requirements.ts'
import {
  listChangedBy,
  largestQuantity,
  hasLeftChain,
  hasPaymentNow,
  mayHaveMoney,
} from './order-change.queries.ts'
import type { OrderRow, OrderChange } from './order.queries.ts'
import { decideCompletion, isApprovalValid, type Decision, takesTwo } from './four-eyes.ts'
import type { Change, Changing, Plan } from './plan-change.ts'
import type { Config } from '../../platform/config/config.ts'
import { readOrderPolicy } from '../../people/four-eyes/read-policy.ts'
import type { Services } from '../../platform/services.ts'
import { requireAboveRuns } from '../deliveries/create-deliveries.ts'
import { isPricedSinceSetting } from './order-history.queries.ts'
import { isBeingWithdrawn } from './withdrawals/withdrawal.queries.ts'

type Requested = { stored: OrderRow; body: Change; plan: Plan }

/** Rejects a change that the order does not allow. Returns a proposal if the change needs a second approval. */
export async function requireAllowed(
  db: Tx,
  { stored, body, plan }: Requested,
  context: Changing,
): Promise<Decision> {
  const { change, asked, paid, claim, reason } = plan
  // A block's clock may be ahead of ours; an officer's entry must not be.
  if (!context.hasEvidence && paid.paidAt && paid.paidAt.getTime() > Date.now())
    throw refusedField('paidAt', 'future')
  // Recorded in both cases, so that staff notice when the check is turned off.
  if (stored.status === 'completed') await recordFourEyes(db, context)
  if (stored.status === 'completed' && change.fabQty !== undefined)
    await requireAboveRuns(db, stored.id, change.fabQty)
  if (await needsCorrectionApproval(db, context.config, stored, { ...change, ...paid, ...claim }))
    return correctionProposal(db, { stored, body, plan }, context)
  await requireNoPaymentMoved(db, stored, plan)
  // The system records only what the chain shows, which explains the amount itself.
  requireExplained(stored, { ...plan, isReduced: plan.isReduced && context.caller.memberId !== null })
  await requireNotSelfPriced(db, stored, plan)
  if (asked === 'cancelled') await requireCancellable(db, stored, plan, context)
  await requireQuantityAtRate(db, context.config, stored, { ...body, change })
  plan.excess = await requireConfirmedExcess(db, stored, change.fabQty, { ...body, reason })
  return asked === 'completed' ? completionProposal(db, stored, { ...plan, body }, context) : {}
}

/**
 * An amount received is in the currency that was paid with, so another payment method must not relabel it. Another
 * transaction would hide that the payment was returned or disappeared from the chain. A request can remove the amount
 * and the transaction together, but not replace the transaction.
 */
async function requireNoPaymentMoved(
  db: Tx,
  stored: OrderRow,
  { change: { payMethod }, isReplaced, isTakenBack }: Pick<Plan, 'change' | 'isReplaced' | 'isTakenBack'>,
): Promise<void> {
  if (payMethod === undefined && !isReplaced) return
  await requireNotReturned(db, stored.id)
  const isRemoved = payMethod === undefined && isTakenBack
  const left = isRemoved ? { ...stored, paid_amount: null, paid_at: null } : stored
  if (!(await hasPaymentNow(db, left))) return
  throw refusedField(payMethod === undefined ? 'txId' : 'payMethod', 'payment_received')
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
  const { payMethod = stored.pay_method } = change
  const saleRates = await readSaleRates(db)
  // Without any rate, nothing shows that the payment covers the price that this request sets.
  const isPriceUnchecked =
    (change.fabQty !== undefined || change.amount !== undefined) && rate === null && !saleRates?.hasMethods
  const completing = {
    amount,
    fabQty: await largestQuantity(db, { id: stored.id, fab_qty: fabQty }),
    received,
    coversPrice: coversPrice(context.config, saleRates, {
      rate,
      payMethod,
      roundId: stored.round_id,
      received,
      fabQty,
    }),
    isCovered: isCoveredOnChain(evidence, { amount, fabQty, rate }),
    isChangedByOfficer:
      isPriceUnchecked ||
      plan.isReduced ||
      (await listChangedBy(db, context.caller.memberId, [stored.id])).has(stored.id),
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
  { corrected, settled, isReduced, reason }: Pick<Plan, 'corrected' | 'settled' | 'isReduced' | 'reason'>,
): void {
  const isExplained =
    corrected.length > 0 || Object.keys(settled).length > 0 || isReduced || stored.status !== 'pending'
  if (isExplained && reason === '') throw refusedField('reason', 'required')
}

/** The first officer proposes the correction; it takes effect when a second officer sends the same values. */
async function correctionProposal(
  db: Tx,
  { stored, body, plan }: Requested,
  context: Changing,
): Promise<Decision> {
  const { change, paid, claim, names, reason, asked } = plan
  // What was received is proposed separately from other fields of the order.
  const correction = Object.keys(change).length > 0 ? change : { ...paid, ...claim }
  // The proposal covers exactly these fields, so nothing else can pass with them.
  const others = names.filter(
    (name) => !Object.hasOwn(correction, name) || (name === 'payMethod' && names.length > 1),
  )
  if (others.length > 0 || asked)
    throw new Refused('validation_failed', {
      fields: others.map((path) => ({ path, code: 'separately' as const })),
    })
  if (plan.isReplaced) await requireNotReturned(db, stored.id)
  // Two people see both transactions, so another one can't hide what happened to the payment.
  await requireNoPaymentMoved(db, stored, { ...plan, isReplaced: false })
  if (await isSecondApproval(db, stored, correction, context)) {
    plan.told = plan.sharesTransaction ? '' : reason || stored.completion_reason
    plan.excess = await requireConfirmedExcess(db, stored, change.fabQty, { ...body, reason: plan.told })
    return { isApproval: true }
  }
  requireExplained(stored, plan)
  await requireQuantityAtRate(db, context.config, stored, { ...body, change })
  await requireConfirmedExcess(db, stored, change.fabQty, { ...body, reason })
  return { proposal: { by: context.caller.memberId!, reason, correction } }
}

/**
 * Returns what staff need to cancel a pending order. Once money may have arrived, an order that needs two approvals can
 * only end through a withdrawal.
 */
export async function cancellingNeedOf(db: Tx, config: Config, stored: OrderRow): Promise<CancellingNeed> {
  // A reported transaction proves nothing, but its member may have paid and must learn why the order ended.
  if (!(await mayHaveMoney(db, config, stored))) return stored.tx_id === '' ? 'nothing' : 'reason'
  const policy = await readOrderPolicy(db, config)
  return takesTwo(policy, await largestQuantity(db, stored)) ? 'withdrawal' : 'reason'
}

/** Returns the order with what the same request enters. What the request removes or lowers still counts. */
function withEntered(
  stored: OrderRow,
  { change: { fabQty }, paid, claim, isReduced }: Pick<Plan, 'change' | 'paid' | 'claim' | 'isReduced'>,
): OrderRow {
  const { paidAmount = stored.paid_amount, paidAt = stored.paid_at } = isReduced ? {} : paid
  const isLarger = Boolean(fabQty) && parseDecimal(fabQty!) > parseDecimal(stored.fab_qty ?? '0')
  return {
    ...stored,
    paid_amount: paidAmount,
    paid_at: paidAt,
    tx_id: claim?.txId || stored.tx_id,
    ...(isLarger && { fab_qty: fabQty! }),
  }
}

/**
 * Rejects canceling an order if what it needs is missing. Otherwise, one request could record a payment and cancel the
 * order, although two requests couldn't.
 */
async function requireCancellable(
  db: Tx,
  stored: OrderRow,
  plan: Plan,
  context: Pick<Changing, 'config' | 'keys'>,
): Promise<void> {
  // Resolving a dispute needs a reason; a late report stays with the canceled order.
  requireSettled({ ...stored, is_reported_late: false }, plan.settled)
  const need = await cancellingNeedOf(db, context.config, withEntered(stored, plan))
  if (need === 'nothing') return
  await recordFourEyes(db, context)
  if (need === 'withdrawal') throw refusedField('status', 'refund_first')
  if (plan.reason === '') throw refusedField('reason', 'required')
}

/** Amounts due and received, and their coin, which limit a refund, and the transaction, which pays no other order. */
const money = ['amount', 'payMethod', 'paidAmount', 'paidAt', 'txId'] as const

/**
 * Whether a correction needs four-eyes approval. Changes to what a completed order delivers always do. Changes to what
 * was received do while four-eyes approval is on.
 */
async function needsCorrectionApproval(
  db: Tx,
  config: Config,
  stored: OrderRow,
  correction: OrderChange,
): Promise<boolean> {
  const isChanged = (name: keyof OrderChange) => correction[name] !== undefined
  if (stored.status !== 'completed') return false
  if (deliveryFields.some(isChanged)) return true
  return money.some(isChanged) && (await readOrderPolicy(db, config)).twoPersonsFrom !== null
}

/** Whether another finance member proposed the same correction and the proposal is still valid. */
async function isSecondApproval(
  db: Tx,
  stored: OrderRow,
  change: OrderChange,
  { config, caller }: Pick<Services, 'config'> & { caller: { memberId: string | null } },
): Promise<boolean> {
  // Only a person can approve: the system never counts as one of the two.
  if (caller.memberId === null) throw new Refused('forbidden')
  if (!isSameCorrection(stored.proposed_correction, change) || !(await isApprovalValid(db, config, stored)))
    return false
  if (stored.completion_proposed_by === caller.memberId)
    throw new Refused('conflict', {
      fields: Object.keys(change).map((path) => ({ path, code: 'second_person' as const })),
    })
  return true
}

/** The change as stored with the proposal: times become text. */
const asStored = (change: OrderChange): OrderChange => JSON.parse(JSON.stringify(change)) as OrderChange

function isSameCorrection(proposed: unknown, change: OrderChange): boolean {
  const [a, b] = [Object.entries((proposed ?? {}) as OrderChange), Object.entries(asStored(change))]
  return a.length === b.length && b.every(([name, value]) => isSameValue(name, new Map(a).get(name), value))
}

const isSameValue = (name: string, a: unknown, b: unknown): boolean =>
  (name === 'amount' || name === 'fabQty' || name === 'paidAmount') &&
  typeof a === 'string' &&
  typeof b === 'string'
    ? parseDecimal(a) === parseDecimal(b)
    : a === b

const priced = ['amount', 'fabQty', 'payMethod'] as const

/**
 * Enforces the self-pricing restriction on corrections: a colleague can neither correct an order to a price its member
 * set, nor complete one so corrected.
 */
async function requireNotSelfPriced(
  db: Tx,
  stored: OrderRow,
  { change, asked }: Pick<Plan, 'change' | 'asked'>,
): Promise<void> {
  if (stored.status !== 'pending') return
  const isPriced = priced.some((name) => change[name] !== undefined)
  if (isPriced || (asked === 'completed' && (await isPricedSinceSetting(db, stored))))
    await requireNoSelfPricing(db, stored.member_id)
}

/**
 * Rejects completing a locked order that its member is withdrawing from. If finance declines the withdrawal, the order
 * can be completed like any other.
 */
async function requireNotWithdrawn(db: Tx, orderId: string): Promise<void> {
  if (await isBeingWithdrawn(db, orderId))
    throw new Refused('conflict', { fields: [{ path: 'withdrawal', code: 'unsettled' }] })
}
