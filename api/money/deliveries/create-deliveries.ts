import { parseDecimal, writeDecimal } from '#contract/platform/decimal.ts'
import type { Tx } from '../../platform/db/database.ts'
import { refusedField } from '../../platform/refused.ts'
import {
  cancelDeliveries,
  findFirstDue,
  insertDelivery,
  isOrderRefunded,
  listOrdersOfDeliveries,
  lockStandingDeliveries,
  postponeDelivery,
  readOrderToDeliver,
  writeAmount,
} from './delivery.queries.ts'
import { recordDeliveries } from './record-deliveries.ts'

/**
 * Creates the delivery of a locked order that was completed: all of its tokens, due at once, but not before the
 * withdrawal period ends. If there is one, it stays as it is, so a repeated call creates none.
 */
export async function createDeliveries(db: Tx, orderId: string): Promise<void> {
  const order = await readOrderToDeliver(db, orderId)
  if (order.status !== 'completed' || parseDecimal(order.fab_qty ?? '0') === 0n) return
  await insertPart(db, { orderId, tranche: 1, amount: order.fab_qty! })
}

async function insertPart(
  db: Tx,
  { orderId, tranche, amount }: { orderId: string; tranche: number; amount: string },
): Promise<void> {
  const dueAt = await findFirstDue(db, orderId)
  const id = await insertDelivery(db, { orderId, tranche, amount, dueAt })
  if (id !== undefined) await recordDeliveries(db, [id], 'created')
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
 * rest is the open delivery. An order without deliveries gets none: its tokens were sent otherwise.
 */
export async function adjustDeliveries(db: Tx, orderId: string): Promise<void> {
  const standing = await lockStandingDeliveries(db, orderId)
  if (standing.length === 0) return
  const frozen = standing.filter((row) => row.is_in_run)
  const [open, ...others] = standing.filter((row) => !row.is_in_run)
  const committed = frozen.reduce((sum, { amount }) => sum + parseDecimal(amount), 0n)
  const { fab_qty: quantity } = await readOrderToDeliver(db, orderId)
  const rest = parseDecimal(quantity ?? '0') - committed
  if (rest < 0n) throw refusedField('fabQty', 'too_little', { min: writeDecimal(committed) })
  const surplus = [...others, ...(open && rest === 0n ? [open] : [])]
  await cancel(
    db,
    surplus.map(({ id }) => id),
    'corrected',
  )
  if (rest === 0n || (await isOrderRefunded(db, orderId))) return
  const amount = writeDecimal(rest)
  if (!open) {
    const tranche = Math.max(...standing.map((row) => row.tranche)) + 1
    await insertPart(db, { orderId, tranche, amount })
  } else if (parseDecimal(open.amount) !== rest) {
    await writeAmount(db, open.id, amount)
    await recordDeliveries(db, [open.id], 'corrected')
  }
}
