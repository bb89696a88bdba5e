import { chosenEventTypes, isOfFinance, type WebhookEventType } from '#contract/webhook-events.ts'
import {
  deliveryTroubles,
  type DeliveryTrouble,
  type Webhook,
  type WebhookDelivery,
} from '#contract/webhooks.ts'
import type { DeliveryRow } from './delivery-log.queries.ts'
import { isSecretOfFinance } from './of-finance.ts'
import { bodyOf } from './webhook-body.ts'
import type { CountedWebhook } from './webhook.queries.ts'

const timeOf = (at: Date | null) => at?.toISOString() ?? null

export const presentWebhook = (row: CountedWebhook): Webhook => ({
  id: row.id,
  url: row.url,
  description: row.description,
  events: chosenEventTypes.filter((type) => row.event_types.includes(type)),
  state: row.state,
  disabledFor: row.disabled_for,
  disabledAt: timeOf(row.disabled_at),
  formerSecretUntil:
    row.former_secret_until && row.former_secret_until > new Date() ? timeOf(row.former_secret_until) : null,
  isSecretOfFinance: isSecretOfFinance(row),
  failingSince: timeOf(row.failing_since),
  lastDeliveredAt: timeOf(row.last_delivered_at),
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  waiting: row.waiting,
  failed: row.failed,
})

type StoredTry = { at: string; ms?: number; status?: number | null; trouble?: string | null }

/** One that another release wrote. */
const troubleOf = (stored: string | null | undefined): DeliveryTrouble | null =>
  stored == null ? null : (deliveryTroubles.find((known) => known === stored) ?? 'unknown')

const stateOf = ({ state, is_in_hand, attempts, round_from }: DeliveryRow): WebhookDelivery['state'] => {
  if (state !== 'waiting') return state
  if (is_in_hand) return 'sending'
  return attempts > round_from ? 'retrying' : 'waiting'
}

/** What tells of orders and identity cases is empty for whoever may not read those. An endpoint may repeat what it was told. */
const ofFinance = { subjectId: '', responseExcerpt: '', body: '' }

export const presentDelivery = (row: DeliveryRow, seesFinance: boolean): WebhookDelivery => ({
  ...presentWhole(row),
  ...(isOfFinance(row.type) && !seesFinance && ofFinance),
})

const presentWhole = (row: DeliveryRow): WebhookDelivery => ({
  id: row.id,
  eventId: row.event_id,
  type: row.type as WebhookEventType,
  subjectId: row.subject_id,
  state: stateOf(row),
  attempts: row.attempts,
  status: row.last_status,
  trouble: troubleOf(row.last_error),
  ms: row.last_ms,
  responseExcerpt: row.response_excerpt,
  createdAt: row.created_at.toISOString(),
  changedAt: row.changed_at.toISOString(),
  nextTryAt: row.state === 'waiting' && !row.is_in_hand ? row.next_try_at.toISOString() : null,
  body: bodyOf({ id: row.event_id, type: row.type, createdAt: row.happened_at, data: row.data }),
  tries: (row.tries as StoredTry[]).map(({ at, ms, status, trouble }) => ({
    at,
    ms: ms ?? null,
    status: status ?? null,
    trouble: troubleOf(trouble),
  })),
})
