import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import { readPage, type Page } from '../db/read-page.ts'
import type { WebhookDeliveryState } from '../db/rows.ts'
import { restarted } from '../outbox/outbox.queries.ts'

const isInHand = sql<boolean>`coalesce(webhook_delivery.claimed_until > now(), false)`

const shown = (db: Tx) =>
  db
    .selectFrom('webhook_delivery')
    .innerJoin('webhook_event', 'webhook_event.id', 'webhook_delivery.event_id')
    .selectAll('webhook_delivery')
    .select(['webhook_event.type', 'webhook_event.data', 'webhook_event.created_at as happened_at'])
    .select(['webhook_delivery.last_status as status', 'webhook_delivery.last_ms as ms'])
    .select(isInHand.as('is_in_hand'))

export type DeliveryRow = Awaited<ReturnType<ReturnType<typeof shown>['executeTakeFirstOrThrow']>>

type Filters = { state?: WebhookDeliveryState | undefined; type?: string | undefined }

export const listDeliveries = (db: Tx, endpointId: string, { state, type }: Filters, page: Page) =>
  readPage(
    shown(db)
      .where('webhook_delivery.endpoint_id', '=', endpointId)
      .$if(state !== undefined, (query) => query.where('webhook_delivery.state', '=', state!))
      .$if(type !== undefined, (query) => query.where('webhook_event.type', '=', type!)),
    page,
    { at: 'webhook_delivery.created_at', id: 'webhook_delivery.id' },
  )

export const findDelivery = (db: Tx, id: string) =>
  shown(db).where('webhook_delivery.id', '=', id).executeTakeFirst()

export async function hasDeliveryOf(db: Tx, endpointId: string, types: readonly string[]): Promise<boolean> {
  const row = await shown(db)
    .where('webhook_delivery.endpoint_id', '=', endpointId)
    .where('webhook_event.type', 'in', [...types])
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Locked until the end of the transaction; only of existing endpoints, with whether an instance is sending it.
 */
export const lockDelivery = (db: Tx, id: string) =>
  db
    .selectFrom('webhook_delivery')
    .innerJoin('webhook_endpoint', 'webhook_endpoint.id', 'webhook_delivery.endpoint_id')
    .select(['webhook_delivery.id', 'webhook_delivery.endpoint_id', 'webhook_delivery.state'])
    .select(isInHand.as('is_in_hand'))
    .where('webhook_delivery.id', '=', id)
    .where('webhook_endpoint.deleted_at', 'is', null)
    .forUpdate('webhook_delivery')
    .executeTakeFirst()

export async function renewDelivery(db: Tx, id: string): Promise<void> {
  await db.updateTable('webhook_delivery').set(restarted).where('id', '=', id).execute()
}

export async function renewFailed(db: Tx, endpointId: string, since: Date): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('webhook_delivery')
    .set(restarted)
    .where('endpoint_id', '=', endpointId)
    .where('state', '=', 'failed')
    .where('created_at', '>=', since)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}
