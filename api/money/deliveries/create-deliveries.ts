import { parseDecimal, writeDecimal } from '#contract/platform/decimal.ts'
import {
  allAtOnce,
  dueAfter,
  splitByPlan,
  type VestedPart,
  type VestingPlan,
} from '#contract/money/vesting.ts'
import type { Tx } from '../../platform/db/database.ts'
import { refusedField } from '../../platform/refused.ts'
import {
  cancelDeliveries,
  insertDeliveries,
  isOrderRefunded,
  listOrdersOfDeliveries,
  lockStandingDeliveries,
  postponeDelivery,
  readOrderToSplit,
  sumInRuns,
  writeAmounts,
  writeHold,
  type OrderToSplit,
} from './delivery.queries.ts'
import { recordDeliveries } from './record-deliveries.ts'

/**
 * Creates the deliveries of a locked order that was completed: one for each part of its vesting plan, but none due
 * before the withdrawal period ends. If there are some, they stay as they are, so a repeated call creates none.
 */
export async function createDeliveries(db: Tx, orderId: string): Promise<void> {
  const order = await readOrderToSplit(db, orderId)
  if (order.status !== 'completed' || order.has_deliveries) return
  await insertParts(db, order, splitByPlan(parseDecimal(order.fab_qty ?? '0'), planOf(order)))
}

const planOf = ({ vesting }: OrderToSplit): VestingPlan => (vesting as VestingPlan | null) ?? allAtOnce

/** Returns the IDs of the inserted deliveries. */
async function insertParts(
  db: Tx,
  order: OrderToSplit,
  parts: readonly VestedPart[],
): Promise<readonly string[]> {
  if (parts.length === 0) return []
  const ids = await insertDeliveries(
    db,
    order.id,
    parts.map(({ tranche, amount, offset }) => ({
      tranche,
      amount: writeDecimal(amount),
      dueAt: dueAt(order, offset),
    })),
  )
  await recordDeliveries(db, ids, 'created')
  return ids
}

function dueAt(
  { completed_at: completed, withdrawable_until: until }: OrderToSplit,
  offset: VestedPart['offset'],
): Date {
  const due = dueAfter(completed, offset)
  return until !== null && until > due ? until : due
}

async function cancel(db: Tx, ids: readonly string[], cause: 'refunded' | 'corrected'): Promise<void> {
  if (ids.length === 0) return
  await cancelDeliveries(db, ids, cause)
  await recordDeliveries(db, ids, 'cancelled')
}

/**
 * Cancels the deliveries of a locked order if its payment was refunded. What is in a payout run may have been sent, so
 * it stays.
 */
export async function cancelRefunded(db: Tx, orderId: string): Promise<void> {
  if (!(await isOrderRefunded(db, orderId))) return
  const open = (await lockStandingDeliveries(db, orderId)).filter((row) => !row.is_in_run)
  await cancel(
    db,
    open.map(({ id }) => id),
    'refunded',
  )
}

/** Records that a payout run gave up deliveries, whose orders are locked. Those of refunded orders end here. */
export async function reopenDeliveries(db: Tx, ids: readonly string[]): Promise<void> {
  await recordDeliveries(db, ids, 'released')
  for (const orderId of await listOrdersOfDeliveries(db, ids)) await cancelRefunded(db, orderId)
}

/** Moves the due time of a locked delivery to a later one. */
export async function postpone(db: Tx, id: string, until: Date): Promise<void> {
  if (await postponeDelivery(db, id, until)) await recordDeliveries(db, [id], 'postponed')
}

/**
 * Adjusts the deliveries of a locked order to a corrected quantity. What is in a payout run stays as it was frozen; the
 * rest is split over the other parts of the plan. An order without deliveries gets none: its tokens were sent otherwise.
 */
export async function adjustDeliveries(db: Tx, orderId: string): Promise<void> {
  const standing = await lockStandingDeliveries(db, orderId)
  if (standing.length === 0) return
  const order = await readOrderToSplit(db, orderId)
  const frozen = standing.filter((row) => row.is_in_run)
  const committed = frozen.reduce((sum, { amount }) => sum + parseDecimal(amount), 0n)
  const rest = parseDecimal(order.fab_qty ?? '0') - committed
  if (rest < 0n) throw belowRuns(committed)
  const taken = new Set(frozen.map(({ tranche }) => tranche))
  const parts = order.is_refunded ? [] : splitByPlan(rest, planOf(order), taken)
  const partOf = new Map(parts.map((part) => [part.tranche, part]))
  const open = standing.filter((row) => !row.is_in_run)
  const [kept, surplus] = [
    open.filter(({ tranche }) => partOf.has(tranche)),
    open.filter(({ tranche }) => !partOf.has(tranche)),
  ]
  await cancel(
    db,
    surplus.map(({ id }) => id),
    'corrected',
  )
  const changed = kept
    .map((row) => ({ id: row.id, before: parseDecimal(row.amount), amount: partOf.get(row.tranche)!.amount }))
    .filter(({ before, amount }) => before !== amount)
  await writeAmounts(
    db,
    changed.map(({ id, amount }) => ({ id, amount: writeDecimal(amount) })),
  )
  await recordDeliveries(
    db,
    changed.map(({ id }) => id),
    'corrected',
  )
  const present = new Set(kept.map(({ tranche }) => tranche))
  const added = await insertParts(
    db,
    order,
    parts.filter(({ tranche }) => !present.has(tranche)),
  )
  // Tokens that finance holds stay held in the parts that take them over.
  const held = surplus.find((row) => row.held_at !== null)
  if (held)
    await hold(
      db,
      [...kept.filter((row) => row.held_at === null).map(({ id }) => id), ...added],
      held.hold_reason,
    )
}

async function hold(db: Tx, ids: readonly string[], reason: string): Promise<void> {
  await writeHold(db, ids, reason)
  await recordDeliveries(db, ids, 'held')
}

const belowRuns = (committed: bigint) =>
  refusedField('fabQty', 'too_little', { min: writeDecimal(committed) })

/** Refuses a quantity of a locked order that is less than what its payout runs have. */
export async function requireAboveRuns(db: Tx, orderId: string, quantity: string | null): Promise<void> {
  const committed = parseDecimal(await sumInRuns(db, orderId))
  if (parseDecimal(quantity ?? '0') < committed) throw belowRuns(committed)
}
