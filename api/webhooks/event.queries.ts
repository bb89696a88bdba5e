import { sql, type RawBuilder } from 'kysely'
import { DAY } from '#contract/durations.ts'
import type { Tx } from '../db/database.ts'
import { ago } from '../db/time.ts'

export type NewEvent = { id: string; type: string; subjectId: string; data: object }

/**
 * Statement parts that insert an event if `hasHappened`, for the endpoints subscribed to it. `told` has one row per
 * endpoint: without any, nothing is inserted. It locks the foreign key while reading, so that a reader under
 * `lockEndpointAfterEvents` sees all events of an endpoint.
 */
export const recordingEvent = (
  { id, type, subjectId, data }: NewEvent,
  hasHappened: RawBuilder<unknown> = sql`true`,
) => sql`
  target as (
    select id from webhook_endpoint where deleted_at is null and ${type}::text = any (event_types)
    for key share),
  event as (
    insert into webhook_event (id, type, subject_id, data)
    select ${id}::text, ${type}::text, ${subjectId}::text, ${JSON.stringify(data)}::jsonb
    where exists (select from target) and ${hasHappened} returning id),
  told as (
    insert into webhook_delivery (endpoint_id, event_id, subject_id)
    select target.id, event.id, ${subjectId}::text from target, event
    returning id)`

/** Inserts an event in one statement. Returns whether any endpoint is subscribed. */
export async function insertEvent(db: Tx, event: NewEvent): Promise<boolean> {
  const { rows } = await sql`with ${recordingEvent(event)} select from told`.execute(db)
  return rows.length > 0
}

/** Inserts an event for one endpoint, whether or not it is subscribed. Returns the ID of the delivery. */
export async function insertEventFor(db: Tx, endpointId: string, event: NewEvent): Promise<string> {
  const { id, type, subjectId, data } = event
  await db
    .insertInto('webhook_event')
    .values({ id, type, subject_id: subjectId, data: JSON.stringify(data) })
    .execute()
  const delivery = await db
    .insertInto('webhook_delivery')
    .values({ endpoint_id: endpointId, event_id: id, subject_id: subjectId })
    .returning('id')
    .executeTakeFirstOrThrow()
  return delivery.id
}

const keptFor = 30 * DAY
const atOnce = 5000

/** Deletes old events in batches, together with their deliveries, so that nothing waits for long. */
export async function deleteOldEvents(db: Tx): Promise<void> {
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      delete from webhook_event where id in (
        select id from webhook_event where created_at < ${ago(keptFor)} order by created_at limit ${atOnce})`.execute(
      db,
    )
    if (numAffectedRows < BigInt(atOnce)) return
  }
}
