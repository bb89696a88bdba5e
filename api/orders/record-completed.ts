import { shortDecimal } from '#contract/decimal.ts'
import type { Tx } from '../db/database.ts'
import { recordEvent } from '../webhooks/event.queries.ts'
import { findCompleted } from './completed-order.queries.ts'

/** Queues the webhook event for a completed order, in the transaction that completes it. */
export async function recordCompleted(db: Tx, orderId: string): Promise<void> {
  const order = await findCompleted(db, orderId)
  if (!order) return
  await recordEvent(db, 'order.completed', order.id, {
    orderId: order.id,
    memberId: order.member_id,
    status: 'completed',
    payMethod: order.pay_method,
    amount: order.amount && shortDecimal(order.amount),
    currency: order.currency,
    fabQty: order.fab_qty && shortDecimal(order.fab_qty),
    completedAt: order.updated_at.toISOString(),
  })
}
