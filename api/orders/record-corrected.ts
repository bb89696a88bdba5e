import { shortDecimal } from '#contract/decimal.ts'
import { deliveryFields } from '#contract/webhook-events.ts'
import type { Tx } from '../db/database.ts'
import { recordEvent } from '../webhooks/event.queries.ts'
import type { OrderRow } from './order.queries.ts'
import type { Plan } from './plan-change.ts'

type Corrected = { stored: OrderRow; order: OrderRow; plan: Pick<Plan, 'change'> }

/** Queues the webhook event if the correction changes what a completed order delivers, or where. */
export async function recordCorrected(db: Tx, { stored, order, plan }: Corrected): Promise<void> {
  const fields = deliveryFields.filter((field) => plan.change[field] !== undefined)
  if (stored.status !== 'completed' || fields.length === 0) return
  await recordEvent(db, 'order.corrected', order.id, {
    orderId: order.id,
    memberId: order.member_id,
    fields,
    fabQty: order.fab_qty && shortDecimal(order.fab_qty),
    correctedAt: order.updated_at.toISOString(),
  })
}
