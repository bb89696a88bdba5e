import { randomUUID } from 'node:crypto'
import type { WebhookData, WebhookEventType } from '#contract/webhook-events.ts'
import { announceChange } from '../db/changes.ts'
import type { Tx } from '../db/database.ts'
import { insertEvent, insertEventFor, type NewEvent } from './event.queries.ts'

/** The event ID stays the same on every retry, so that receivers can detect duplicates. */
const newEventId = () => `evt_${randomUUID().replaceAll('-', '')}`

/** Returns an event. Its data are IDs, states, times, and amounts, but never personal data. */
export const newEvent = <Type extends WebhookEventType>(
  type: Type,
  subjectId: string,
  data: WebhookData<Type>,
): NewEvent => ({ id: newEventId(), type, subjectId, data })

/**
 * Inserts an event for subscribed endpoints in the transaction of its cause, so that it is neither lost nor sent after
 * a rollback.
 */
export async function recordEvent<Type extends WebhookEventType>(
  db: Tx,
  type: Type,
  subjectId: string,
  data: WebhookData<Type>,
): Promise<void> {
  if (await insertEvent(db, newEvent(type, subjectId, data))) await announceChange(db, 'webhooks')
}

/** Inserts a test event, sent manually to check whether the endpoint responds. */
export async function recordTestEvent(db: Tx, webhookId: string): Promise<{ id: string; eventId: string }> {
  const eventId = newEventId()
  const data: WebhookData<'webhook.test'> = { webhookId }
  // A separate subject, so that a failed test does not delay the next one.
  const event = { id: eventId, type: 'webhook.test', subjectId: eventId, data }
  const id = await insertEventFor(db, webhookId, event)
  await announceChange(db, 'webhooks')
  return { id, eventId }
}

type Written = { id: string; type: string; createdAt: Date; data: unknown }

/** Returns the body, identical on every retry: the database keeps the order of the data’s fields. */
export const bodyOf = ({ id, type, createdAt, data }: Written): string =>
  JSON.stringify({ id, type, createdAt: createdAt.toISOString(), data })
