import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { DAY } from '#contract/platform/durations.ts'
import type { WebhookData, WebhookEventType } from '#contract/integrations/webhook-events.ts'
import { announceChange } from '../db/changes.ts'
import type { Tx } from '../db/database.ts'
import { ago } from '../db/expressions.ts'

/** The event ID stays the same on every retry, so that receivers can detect duplicates. */
const newEventId = () => `evt_${randomUUID().replaceAll('-', '')}`

type NewEvent<Type extends WebhookEventType> = { subjectId: string; data: WebhookData<Type> }

/**
 * Inserts events for subscribed endpoints, in one statement and in the transaction of their cause, so that none is lost
 * or sent after a rollback. Their data are IDs, states, times, and amounts, but never personal data. The foreign key is
 * locked while reading, so that a reader under `lockEndpointAfterEvents` sees all events of an endpoint.
 */
export async function recordEvents<Type extends WebhookEventType>(
  db: Tx,
  type: Type,
  events: readonly NewEvent<Type>[],
): Promise<void> {
  if (events.length === 0) return
  const given = JSON.stringify(events.map((event) => ({ id: newEventId(), ...event })))
  const { rows } = await sql`
    with target as (
      select id from webhook_endpoint where deleted_at is null and ${type}::text = any (event_types)
      for key share),
    event as (
      insert into webhook_event (id, type, subject_id, data)
      select given.id, ${type}::text, given."subjectId", given.data
      from jsonb_to_recordset(${given}::jsonb) as given (id text, "subjectId" text, data jsonb)
      where exists (select from target) returning id, subject_id)
    insert into webhook_delivery (endpoint_id, event_id, subject_id)
    select target.id, event.id, event.subject_id from target, event
    returning id`.execute(db)
  if (rows.length > 0) await announceChange(db, 'webhooks')
}

export const recordEvent = <Type extends WebhookEventType>(
  db: Tx,
  type: Type,
  subjectId: string,
  data: WebhookData<Type>,
): Promise<void> => recordEvents(db, type, [{ subjectId, data }])

/** Inserts a test event for one endpoint, sent manually to check whether it responds. */
export async function recordTestEvent(db: Tx, webhookId: string): Promise<{ id: string; eventId: string }> {
  const eventId = newEventId()
  const data: WebhookData<'webhook.test'> = { webhookId }
  // A separate subject, so that a failed test does not delay the next one.
  const about = { subject_id: eventId }
  await db
    .insertInto('webhook_event')
    .values({ id: eventId, type: 'webhook.test', data: JSON.stringify(data), ...about })
    .execute()
  const { id } = await db
    .insertInto('webhook_delivery')
    .values({ endpoint_id: webhookId, event_id: eventId, ...about })
    .returning('id')
    .executeTakeFirstOrThrow()
  await announceChange(db, 'webhooks')
  return { id, eventId }
}

type Written = { id: string; type: string; createdAt: Date; data: unknown }

/** Returns the body, identical on every retry: the database keeps the order of the data’s fields. */
export const bodyOf = ({ id, type, createdAt, data }: Written): string =>
  JSON.stringify({ id, type, createdAt: createdAt.toISOString(), data })

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
