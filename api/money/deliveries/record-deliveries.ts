import { shortDecimal } from '#contract/platform/decimal.ts'
import type { WebhookData } from '#contract/integrations/webhook-events.ts'
import type { Tx } from '../../platform/db/database.ts'
import { recordEvent } from '../../platform/outbox/event.queries.ts'
import { listChangedDeliveries } from './delivery.queries.ts'

export type DeliveryChange = WebhookData<'delivery.changed'>['state']

/**
 * Queues the webhook event of each delivery. To be called after every change that a person or a payout makes, with the
 * run and the transaction that the delivery then has.
 */
export async function recordDeliveries(db: Tx, ids: readonly string[], state: DeliveryChange): Promise<void> {
  for (const row of await listChangedDeliveries(db, ids))
    await recordEvent(db, 'delivery.changed', row.id, {
      deliveryId: row.id,
      orderId: row.order_id,
      memberId: row.member_id,
      state,
      amount: shortDecimal(row.amount),
      dueAt: row.due_at.toISOString(),
      runId: row.run_id,
      txId: row.tx_id ?? '',
      changedAt: new Date().toISOString(),
    })
}
