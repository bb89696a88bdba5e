import type { OrderFieldChange } from '#contract/money/console-orders.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Services } from '../../platform/services.ts'
import { auditOrder, insertOrderStep } from './order-history.queries.ts'
import { notifyOwner } from './notify-owner.ts'
import { updateOrderRow, type OrderRow } from './order.queries.ts'

type Needed = Pick<Services, 'keys' | 'config'>

/**
 * Cancels a locked order whose payment was not reported in time. The step has no actor because the system cancels it.
 */
export async function cancelUnpaid(
  db: Tx,
  services: Needed,
  order: OrderRow,
  mail: 'order-unpaid' | 'order-unpaid-dropped' | 'order-unpaid-unconfirmed' = order.payment_dropped_at ===
  null
    ? 'order-unpaid'
    : 'order-unpaid-dropped',
): Promise<OrderRow> {
  const cancelled = await updateOrderRow(db, order.id, { status: 'cancelled' })
  await insertOrderStep(db, order.id, { kind: 'unpaid', by: null })
  await notifyOwner(db, services, mail, { order: cancelled })
  await auditOrder(db, null, 'order-unpaid', order.id, { status: 'cancelled' })
  return cancelled
}

/** Cancels a locked order at its owner's request. */
export async function withdraw(db: Tx, services: Needed, order: OrderRow): Promise<OrderRow> {
  const cancelled = await cancelForOwner(db, order)
  await notifyOwner(db, services, 'order-withdrawn', { order: cancelled })
  return cancelled
}

/**
 * Cancels a locked order at its owner's request, which another email confirms. The step keeps the refund address that
 * the owner entered.
 */
export async function cancelForOwner(
  db: Tx,
  order: OrderRow,
  changes: readonly OrderFieldChange[] = [],
): Promise<OrderRow> {
  const cancelled = await updateOrderRow(db, order.id, { status: 'cancelled' })
  await insertOrderStep(db, order.id, { kind: 'withdrawn', by: order.member_id, changes })
  await auditOrder(db, order.member_id, 'order-withdrawn', order.id, { status: 'cancelled' })
  return cancelled
}

/**
 * Cancels a locked pending order because finance accepted the member's withdrawal. The withdrawal email informs the
 * member.
 */
export async function cancelWithdrawn(db: Tx, order: OrderRow, by: string): Promise<void> {
  await updateOrderRow(db, order.id, { status: 'cancelled' })
  await insertOrderStep(db, order.id, { kind: 'cancelled', by })
  await auditOrder(db, by, 'order-updated', order.id, { status: 'cancelled', fields: ['status'] })
}
