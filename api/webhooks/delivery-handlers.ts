import type { api } from '#contract/api.ts'
import { isOfFinance, type WebhookEventType } from '#contract/webhook-events.ts'
import {
  deliveryFailureReasons,
  webhookDelivery,
  type DeliveryFailureReason,
  type WebhookDelivery,
} from '#contract/webhooks.ts'
import { announceChange } from '../db/changes.ts'
import { transaction } from '../db/database.ts'
import { project } from '../db/project.ts'
import type { Handler } from '../http/handler.ts'
import { Refused } from '../refused.ts'
import { changeEndpoint, noteChange, requireWithin } from './change-endpoint.ts'
import {
  findDelivery,
  listDeliveries,
  lockDelivery,
  renewDelivery,
  renewFailed,
  type DeliveryRow,
} from './delivery-log.queries.ts'
import { bodyOf, recordTestEvent } from './record-event.ts'
import { readsFinance } from './of-finance.ts'
import { findPlainEndpoint } from './webhook.queries.ts'

type StoredTry = { at: string; ms?: number; status?: number | null; trouble?: string | null }

/** `unknown`: written by another release. */
const failureReasonOf = (stored: string | null | undefined): DeliveryFailureReason | null =>
  stored == null ? null : (deliveryFailureReasons.find((known) => known === stored) ?? 'unknown')

const stateOf = ({ state, is_in_hand, attempts, round_from }: DeliveryRow): WebhookDelivery['state'] => {
  if (state !== 'waiting') return state
  if (is_in_hand) return 'sending'
  return attempts > round_from ? 'retrying' : 'waiting'
}

/**
 * Data about orders and identity cases is empty without the right to read them, including the answer, because
 * an endpoint may repeat what it received.
 */
const ofFinance = { subjectId: '', responseExcerpt: '', body: '' }

const presentDelivery = (row: DeliveryRow, seesFinance: boolean): WebhookDelivery => ({
  ...project(webhookDelivery, row),
  type: row.type as WebhookEventType,
  state: stateOf(row),
  trouble: failureReasonOf(row.last_error),
  nextTryAt: row.state === 'waiting' && !row.is_in_hand ? row.next_try_at.toISOString() : null,
  body: bodyOf({ id: row.event_id, type: row.type, createdAt: row.happened_at, data: row.data }),
  tries: (row.tries as StoredTry[]).map(({ at, ms = null, status = null, trouble }) => ({
    at,
    ms,
    status,
    trouble: failureReasonOf(trouble),
  })),
  ...(isOfFinance(row.type) && !seesFinance && ofFinance),
})

export const listWebhookDeliveries: Handler<typeof api.listWebhookDeliveries> = async (
  { params, query: { limit, after, ...filters } },
  { db, caller, answer },
) => {
  if (!(await findPlainEndpoint(db, params.id))) throw new Refused('not_found')
  const { rows, next } = await listDeliveries(db, params.id, filters, { limit, after })
  answer.setNext(next)
  return rows.map((row) => presentDelivery(row, readsFinance(caller)))
}

export const testWebhook: Handler<typeof api.testWebhook> = ({ body }, context) =>
  changeEndpoint(context, body.id, 'tests', async (db, { id }, note) => {
    context.caller.requireStepUp()
    const written = await recordTestEvent(db, id)
    await note('webhook-tested')
    return written
  })

export const resendWebhookDelivery: Handler<typeof api.resendWebhookDelivery> = async ({ body }, context) => {
  const { db, caller } = context
  await requireWithin(context, 'repetitions')
  return transaction(db, async (db) => {
    const row = await lockDelivery(db, body.id)
    if (!row) throw new Refused('not_found')
    // A delivery in progress can't be resent.
    if (row.state === 'waiting' && row.is_in_hand) throw new Refused('conflict')
    caller.requireStepUp()
    await renewDelivery(db, row.id)
    const what = { action: 'webhook-delivery-resent', detail: { from: row.state } } as const
    await noteChange(db, context, row.endpoint_id, what)
    await announceChange(db, 'webhooks')
    return presentDelivery((await findDelivery(db, row.id))!, readsFinance(caller))
  })
}

export const resendFailedDeliveries: Handler<typeof api.resendFailedDeliveries> = ({ body }, context) =>
  changeEndpoint(context, body.id, 'repetitions', async (db, { id }, note) => {
    context.caller.requireStepUp()
    const count = await renewFailed(db, id, new Date(body.since))
    if (count > 0) {
      await note('webhook-failures-resent', { count })
      await announceChange(db, 'webhooks')
    }
    return { count }
  })
