import { parseDecimal, shortDecimal, writeDecimal } from '#contract/platform/decimal.ts'
import type { WebhookData } from '#contract/integrations/webhook-events.ts'
import { allAtOnce, dueAfter, splitByPlan, vestingPlan, type VestingPlan } from '#contract/money/vesting.ts'
import type { Tx } from '../../platform/db/database.ts'
import { recordEvent } from '../../platform/outbox/event.queries.ts'
import { refusedField } from '../../platform/refused.ts'
import {
  cancelDeliveries,
  findCompletedAt,
  findPromisedUntil,
  hasDeliveries,
  insertDeliveries,
  isTakenBack,
  lockOpenDeliveries,
  readOrderToDeliver,
  type DeliveredOrder,
  type DeliveryRow,
} from './delivery.queries.ts'

/** An order without a plan has all its tokens delivered at once. */
export const planOf = ({ vesting }: Pick<DeliveredOrder, 'vesting'>): VestingPlan | null =>
  vesting === null ? null : vestingPlan.parse(vesting)

type Change = WebhookData<'delivery.changed'>['state']

/** Queues the webhook event of a delivery. */
export const recordDelivery = (
  db: Tx,
  { id, amount, due_at }: Pick<DeliveryRow, 'id' | 'amount' | 'due_at'>,
  order: Pick<DeliveredOrder, 'id' | 'member_id'>,
  { state, runId = null, txId = '' }: { state: Change; runId?: string | null; txId?: string },
): Promise<void> =>
  recordEvent(db, 'delivery.changed', id, {
    deliveryId: id,
    orderId: order.id,
    memberId: order.member_id,
    state,
    amount: shortDecimal(amount),
    dueAt: due_at.toISOString(),
    runId,
    txId,
    changedAt: new Date().toISOString(),
  })

/**
 * Creates the deliveries of a locked order that was completed. Those that exist stay as they are, so a repeated call
 * creates none. Nothing is due before the withdrawal period ends.
 */
export async function createDeliveries(db: Tx, orderId: string): Promise<DeliveryRow[]> {
  const order = await readOrderToDeliver(db, orderId)
  if (order.status !== 'completed' || order.fab_qty === null) return []
  return insertParts(db, order, parseDecimal(order.fab_qty), new Set())
}

async function insertParts(
  db: Tx,
  order: DeliveredOrder,
  total: bigint,
  taken: ReadonlySet<number>,
): Promise<DeliveryRow[]> {
  const completedAt = (await findCompletedAt(db, order.id)) ?? new Date()
  const until = (await findPromisedUntil(db, order.id)) ?? completedAt
  const parts = splitByPlan(total, planOf(order) ?? allAtOnce, taken)
  const created = await insertDeliveries(
    db,
    parts.map(({ tranche, amount, offset }) => {
      const due = dueAfter(completedAt, offset)
      return { orderId: order.id, tranche, amount: writeDecimal(amount), dueAt: due > until ? due : until }
    }),
  )
  for (const row of created) await recordDelivery(db, row, order, { state: 'created' })
  return created
}

async function cancelOpen(
  db: Tx,
  order: DeliveredOrder,
  cause: 'refunded' | 'corrected',
): Promise<Awaited<ReturnType<typeof lockOpenDeliveries>>> {
  const rows = await lockOpenDeliveries(db, order.id)
  const open = rows.filter((row) => !row.is_in_run)
  if (open.length > 0) {
    const cancelled = await cancelDeliveries(
      db,
      open.map(({ id }) => id),
      cause,
    )
    for (const row of cancelled) await recordDelivery(db, row, order, { state: 'cancelled' })
  }
  return rows.filter((row) => row.is_in_run)
}

/** Cancels the deliveries of a locked, refunded order. What is in a payout run may have been sent, so it stays. */
export async function cancelRefunded(db: Tx, orderId: string): Promise<void> {
  await cancelOpen(db, await readOrderToDeliver(db, orderId), 'refunded')
}

/**
 * Replaces the deliveries of a locked order after a correction of its quantity. What is in a payout run stays, and the
 * rest is split over the other parts of the plan. An order without deliveries gets none: its tokens were sent otherwise.
 */
export async function adjustDeliveries(db: Tx, orderId: string): Promise<void> {
  if (!(await hasDeliveries(db, orderId)) || (await isTakenBack(db, orderId))) return
  const order = await readOrderToDeliver(db, orderId)
  const committed = await cancelOpen(db, order, 'corrected')
  const sum = committed.reduce((total, { amount }) => total + parseDecimal(amount), 0n)
  const rest = parseDecimal(order.fab_qty ?? '0') - sum
  if (rest < 0n) throw refusedField('fabQty', 'too_little', { min: writeDecimal(sum) })
  await insertParts(db, order, rest, new Set(committed.map(({ tranche }) => tranche)))
}
