import {
  isBeyondTolerance,
  multiplyDown,
  parseDecimal,
  tokenPlaces,
  writeDecimal,
} from '#contract/decimal.ts'
import type { Config } from '../config.ts'
import type { Tx } from '../db/database.ts'
import { Refused, refusedField } from '../refused.ts'
import { requireRoom } from '../sale/caps.ts'
import { lockSale } from '../sale/sale.queries.ts'
import { requireCompletable } from './completing.ts'
import { isSecondApproval, needsCorrectionApproval } from './correction-approval.ts'
import type { OrderChange, OrderRow, Proposal } from './order.queries.ts'
import { requirePayment } from './require-payment.ts'
import { firstVoice } from './two-persons.ts'
import { requireNotWithdrawn } from './withdrawals/require-not-withdrawn.ts'
import type { Change, Changing, Plan } from './plan-change.ts'

/** Refuses what the order does not allow. Answers the proposal that the request is, where it takes a second person. */
export async function requireAllowed(
  db: Tx,
  stored: OrderRow,
  body: Change,
  plan: Plan,
  context: Changing,
): Promise<Proposal | undefined> {
  const { change, asked, corrected, filled, settled, paid, isTakenBack, reason, names } = plan
  // The clock of a block may be ahead of ours; a person's entry is not.
  if (!context.hasEvidence && paid.paidAt && paid.paidAt.getTime() > Date.now())
    throw refusedField('paidAt', 'future')
  if (needsCorrectionApproval(stored, change)) return correctionProposal(db, stored, body, plan, context)
  requireExplained(stored, plan)
  requireQuantityAtRate(context.config, stored, change, body)
  if (filled.includes('fabQty') && reason === '') await requireRoomWhileSelling(db, stored, change.fabQty)
  if (asked !== 'completed') return undefined
  await requireNotWithdrawn(db, stored.id)
  requireCompletable(stored, settled, isTakenBack ? [...corrected, ...Object.keys(paid)] : corrected)
  const { amount = stored.amount, fabQty = stored.fab_qty } = change
  await requirePayment(db, context.config, stored, {
    due: amount,
    paid,
    reason: reason || stored.completion_reason,
    hasEvidence: context.hasEvidence ?? false,
  })
  return firstVoice(db, stored, { fabQty, changesMore: names.length > 0, reason: plan.told }, context)
}

function requireExplained(
  stored: OrderRow,
  { corrected, settled, isTakenBack, reason }: Pick<Plan, 'corrected' | 'settled' | 'isTakenBack' | 'reason'>,
): void {
  const isExplained =
    corrected.length > 0 || Object.keys(settled).length > 0 || isTakenBack || stored.status !== 'pending'
  if (isExplained && reason === '') throw refusedField('reason', 'required')
}

/** A quantity that is not what the amount buys at the order's rate is set only if the request says that this is meant. */
function requireQuantityAtRate(
  { orderTolerance }: Pick<Config, 'orderTolerance'>,
  stored: OrderRow,
  change: OrderChange,
  { confirmsQuantity }: Pick<Change, 'confirmsQuantity'>,
): void {
  const { amount = stored.amount, fabQty = stored.fab_qty, payMethod } = change
  const isChanged = change.amount !== undefined || change.fabQty !== undefined
  // The rate of another pay method is not known.
  if (!isChanged || payMethod !== undefined || confirmsQuantity) return
  if (amount === null || fabQty === null || stored.rate === null) return
  const bought = multiplyDown(parseDecimal(amount), parseDecimal(stored.rate), tokenPlaces)
  if (isBeyondTolerance(orderTolerance, fabQty, writeDecimal(bought)))
    throw refusedField('fabQty', 'differs_from_rate')
}

/** The first of two proposes the correction; the second sends the same values, and it is carried out. */
async function correctionProposal(
  db: Tx,
  stored: OrderRow,
  body: Change,
  plan: Plan,
  context: Changing,
): Promise<Proposal | undefined> {
  const { change, names, reason, asked } = plan
  // What was proposed is exactly these fields: nothing else passes with them.
  const others = names.filter((name) => !Object.hasOwn(change, name) || name === 'payMethod')
  if (others.length > 0 || asked)
    throw new Refused('validation_failed', {
      fields: others.map((path) => ({ path, code: 'separately' as const })),
    })
  if (await isSecondApproval(db, stored, change, context)) {
    plan.told = reason || stored.completion_reason
    return undefined
  }
  requireExplained(stored, plan)
  requireQuantityAtRate(context.config, stored, change, body)
  return { by: context.caller.memberId!, reason, correction: change }
}

/** As where finance enters an order: beyond the caps only with a reason. */
async function requireRoomWhileSelling(
  db: Tx,
  stored: OrderRow,
  fabQty: string | null | undefined,
): Promise<void> {
  const sale = await lockSale(db)
  if (sale?.is_selling && stored.created_at >= (sale.opens_at ?? stored.created_at))
    await requireRoom(db, sale, stored.member_id, fabQty)
}
