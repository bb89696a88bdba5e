import { randomUUID } from 'node:crypto'
import type { WebhookData, WebhookEventType } from '#contract/webhook-events.ts'
import { announceChange } from '../db/changes.ts'
import type { Tx } from '../db/database.ts'
import { insertEvent, insertEventFor, type NewEvent } from './event.queries.ts'

/** The same on every repetition, so that receivers know what they have had. */
const newEventId = () => `evt_${randomUUID().replaceAll('-', '')}`

/** Data is ids, states, times and amounts, never what names or describes a person. */
export const newEvent = <Type extends WebhookEventType>(
  type: Type,
  subjectId: string,
  data: WebhookData<Type>,
): NewEvent => ({ id: newEventId(), type, subjectId, data })

/**
 * Writes what happened for the endpoints that ask for it, in the transaction in which it happens: so that it is neither lost nor told
 * of what was rolled back.
 */
export async function noteEvent<Type extends WebhookEventType>(
  db: Tx,
  type: Type,
  subjectId: string,
  data: WebhookData<Type>,
): Promise<void> {
  if (await insertEvent(db, newEvent(type, subjectId, data))) await announceChange(db, 'webhooks')
}

/** By hand, to see whether the endpoint answers. */
export async function noteTest(db: Tx, webhookId: string): Promise<{ id: string; eventId: string }> {
  const eventId = newEventId()
  const data: WebhookData<'webhook.test'> = { webhookId }
  // A subject of its own: one that fails does not hold up the next.
  const event = { id: eventId, type: 'webhook.test', subjectId: eventId, data }
  const id = await insertEventFor(db, webhookId, event)
  await announceChange(db, 'webhooks')
  return { id, eventId }
}
