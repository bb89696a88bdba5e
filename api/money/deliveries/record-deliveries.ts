import { shortDecimal } from '#contract/platform/decimal.ts'
import type { WebhookData } from '#contract/integrations/webhook-events.ts'
import type { Tx } from '../../platform/db/database.ts'
import { recordEvents } from '../../platform/outbox/event.queries.ts'
import { listChangedDeliveries } from './delivery.queries.ts'

export type DeliveryChange = WebhookData<'delivery.changed'>['state']

/**
 * Queues the webhook events of deliveries. To be called after every change that a person or a payout makes, with the run
 * and the transaction that each delivery then has.
 */
export async function recordDeliveries(db: Tx, ids: readonly string[], state: DeliveryChange): Promise<void> {
  const changedAt = new Date().toISOString()
  const rows = await listChangedDeliveries(db, ids)
  const events = rows.map((row) => ({
    subjectId: row.id,
    data: {
      deliveryId: row.id,
      orderId: row.order_id,
      memberId: row.member_id,
      state,
      amount: shortDecimal(row.amount),
      dueAt: row.due_at.toISOString(),
      runId: row.run_id,
      txId: row.tx_id ?? '',
      changedAt,
    },
  }))
  await recordEvents(db, 'delivery.changed', events)
}
