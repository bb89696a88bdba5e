import type { OrderFieldChange } from '#contract/money/console-orders.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Services } from '../../platform/services.ts'
import { auditOrder, insertOrderStep } from './order-history.queries.ts'
import { flagUnexpected } from '../chains/chain-payment.queries.ts'
import { hasMoney } from './order-change.queries.ts'
import { notifyFinance, notifyOwner } from './notify-owner.ts'
import { updateOrderRow, type OrderRow } from './order.queries.ts'

type Needed = Pick<Services, 'keys' | 'config'>

/**
 * Cancels a locked order whose payment was not reported in time. The step has no actor because the system cancels it.
 */
export async function cancelUnpaid(
  db: Tx,
  services: Needed,
  order: OrderRow,
  mail:
    | 'order-unpaid'
    | 'order-unpaid-dropped'
    | 'order-unpaid-unconfirmed'
    | 'order-paid-cancelled' = order.payment_dropped_at === null ? 'order-unpaid' : 'order-unpaid-dropped',
): Promise<OrderRow> {
  const cancelled = await updateOrderRow(db, order.id, { status: 'cancelled' })
  await insertOrderStep(db, order.id, { kind: 'unpaid', by: null })
  await notifyOwner(db, services, mail, { order: cancelled })
  await auditOrder(db, null, 'order-unpaid', order.id, { status: 'cancelled' })
  return cancelled
}

/**
 * Cancels a locked order at its deadline. If money arrived that no one named in time, the member learns how to get it
 * back, and finance has to look at the order.
 */
export async function cancelOverdue(db: Tx, services: Needed, order: OrderRow): Promise<void> {
  if (!(await hasMoney(db, order))) {
    await cancelUnpaid(db, services, order)
    return
  }
  const cancelled = await cancelUnpaid(db, services, order, 'order-paid-cancelled')
  await flagUnexpected(db, order.id)
  await notifyFinance(db, services, cancelled, { kind: 'staff-order-unexpected', isSeen: true })
}

/** Cancels a locked order at its owner's request. */
export async function withdraw(db: Tx, services: Needed, order: OrderRow): Promise<OrderRow> {
  const cancelled = await cancelForOwner(db, order)
  await notifyOwner(db, services, 'order-withdrawn', { order: cancelled })
  if (await hasMoney(db, cancelled))
    await notifyOwner(db, services, 'order-paid-cancelled', { order: cancelled })
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
