import { randomUUID } from 'node:crypto'
import type { api } from '#contract/api.ts'
import type { AuditActionOn } from '#contract/platform/audit-actions.ts'
import { HOUR } from '#contract/platform/durations.ts'
import type { InputOf } from '#contract/platform/endpoint.ts'
import {
  chosenEventTypes,
  isOfFinance,
  type WebhookEventType,
} from '#contract/integrations/webhook-events.ts'
import {
  deliveryFailureReasons,
  webhook,
  webhookDelivery,
  webhooksMax,
  type DeliveryFailureReason,
  type Webhook,
  type WebhookDelivery,
} from '#contract/integrations/webhooks.ts'
import { recordAudit } from '../../platform/audit/audit.queries.ts'
import { announceChange } from '../../platform/db/changes.ts'
import { transaction, type Tx } from '../../platform/db/database.ts'
import { project } from '../../platform/db/project.ts'
import type { Handler, MemberContext } from '../../platform/http/handler.ts'
import { requireWithinLimits } from '../../platform/rate-limits/rate-limit.ts'
import { Refused, refusedField } from '../../platform/refused.ts'
import {
  findDelivery,
  listDeliveries,
  lockDelivery,
  renewDelivery,
  renewFailed,
  type DeliveryRow,
} from '../../platform/outbox/delivery.queries.ts'
import { bodyOf, recordTestEvent } from '../../platform/outbox/event.queries.ts'
import {
  isSecretOfFinance,
  readsFinance,
  requireMayAdd,
  requireMayChoose,
  requireMayRedirect,
  takeResponsibility,
} from './of-finance.ts'
import { hostOf, notifyAdmins } from './notify-admins.ts'
import { validateUrl } from './sending/validate-url.ts'
import { newSecret } from './webhook-secret.ts'
import {
  findEndpoint,
  insertEndpoint,
  listEndpoints,
  lockAndCountEndpoints,
  lockEndpoint,
  markEndpointDeleted,
  replaceSecret,
  setEndpointState,
  updateEndpoint,
  type CountedWebhook,
  type WebhookRow,
} from './webhook.queries.ts'

const presentWebhook = (row: CountedWebhook): Webhook => ({
  ...project(webhook, row),
  events: chosenEventTypes.filter((type) => row.event_types.includes(type)),
  formerSecretUntil:
    row.former_secret_until && row.former_secret_until > new Date()
      ? row.former_secret_until.toISOString()
      : null,
  isSecretOfFinance: isSecretOfFinance(row),
})

const readWebhook = async (db: Tx, id: string): Promise<Webhook> => {
  const row = await findEndpoint(db, id)
  if (!row) throw new Refused('not_found')
  return presentWebhook(row)
}

export const listWebhooks: Handler<typeof api.listWebhooks> = async (_, { db }) =>
  (await listEndpoints(db)).map(presentWebhook)

export const getWebhook: Handler<typeof api.getWebhook> = ({ params }, { db }) => readWebhook(db, params.id)

/** Changes and tests per person and hour; resending all failures of an endpoint counts once. */
const changesMax = 120

const requireWithin = ({ caller, db, keys }: MemberContext): Promise<void> =>
  requireWithinLimits(db, keys, [{ key: `webhooks ${caller.memberId}`, max: changesMax, window: HOUR }])

type Detail = Record<string, string | number | string[]>
type Note = (action: AuditActionOn<'webhook'>, detail?: Detail) => Promise<void>

const noteOn =
  (db: Tx, { caller }: MemberContext, subjectId: string): Note =>
  (action, detail = {}) =>
    recordAudit(db, { actorId: caller.memberId, subjectKind: 'webhook', subjectId, action, detail })

/** Changes an existing endpoint, which stays locked until the change is recorded. */
async function changeEndpoint<Done>(
  context: MemberContext,
  id: string,
  step: (db: Tx, row: WebhookRow, note: Note) => Promise<Done>,
): Promise<Done> {
  await requireWithin(context)
  return transaction(context.db, async (db) => {
    const row = await lockEndpoint(db, id)
    if (!row) throw new Refused('not_found')
    return step(db, row, noteOn(db, context, id))
  })
}

export const createWebhook: Handler<typeof api.createWebhook> = async ({ body }, context) => {
  const { db, keys, caller } = context
  await requireWithin(context)
  requireMayChoose(caller, body.events)
  const url = requireUsable(context, body.url)
  const id = randomUUID()
  const secret = newSecret()
  return transaction(db, async (db) => {
    if ((await lockAndCountEndpoints(db)) >= webhooksMax) throw new Refused('conflict')
    caller.requireStepUp()
    const events = [...new Set(body.events)]
    await insertEndpoint(db, {
      id,
      url,
      description: body.description,
      event_types: events,
      sealed_secret: keys.seal('webhook', id, secret),
      secret_of_finance: readsFinance(caller),
      created_by: caller.memberId,
    })
    await takeResponsibility(db, caller, id)
    await noteOn(db, context, id)('webhook-created', { fields: events, to: hostOf(url) })
    await notifyAdmins(db, context, 'staff-webhook-added', { id, url })
    return { webhook: await readWebhook(db, id), secret }
  })
}

export const updateWebhook: Handler<typeof api.updateWebhook> = async ({ body }, context) => {
  const { caller } = context
  const wanted = { ...body, ...(body.url !== undefined && { url: requireUsable(context, body.url) }) }
  return changeEndpoint(context, body.id, async (db, row, note) => {
    if (body.updatedAt !== undefined && body.updatedAt !== row.updated_at.toISOString())
      throw new Refused('conflict')
    const change = changeOf(row, wanted)
    const { url, event_types: events = [] } = change
    const fields = Object.keys(change).map((name) => (name === 'event_types' ? 'events' : name))
    if (fields.length > 0) {
      if (url !== undefined) await requireMayRedirect(db, caller, row)
      const added = events.filter((type) => !row.event_types.includes(type))
      requireMayAdd(caller, row, added)
      caller.requireStepUp()
      await updateEndpoint(db, row.id, change)
      if (url !== undefined || change.event_types !== undefined) await takeResponsibility(db, caller, row.id)
      await note('webhook-updated', { fields, ...(url && { from: hostOf(row.url), to: hostOf(url) }) })
      const told = { id: row.id, url: url ?? row.url }
      if (url !== undefined) await notifyAdmins(db, context, 'staff-webhook-moved', told)
      if (added.length > 0) await notifyAdmins(db, context, 'staff-webhook-extended', told)
    }
    return readWebhook(db, row.id)
  })
}

/** Returns the fields that differ from the endpoint. */
function changeOf(row: WebhookRow, { url, description, events }: InputOf<typeof api.updateWebhook>['body']) {
  const types = events && [...new Set(events)].toSorted()
  return {
    ...(url !== undefined && url !== row.url && { url }),
    ...(description !== undefined && description !== row.description && { description }),
    ...(types && types.join() !== row.event_types.toSorted().join() && { event_types: types }),
  }
}

export const rotateWebhookSecret: Handler<typeof api.rotateWebhookSecret> = ({ body }, context) =>
  changeEndpoint(context, body.id, async (db, row, note) => {
    const { keys, caller } = context
    await requireMayRedirect(db, caller, row)
    caller.requireStepUp()
    const secret = newSecret()
    await replaceSecret(db, row.id, {
      sealed: keys.seal('webhook', row.id, secret),
      isOfFinance: readsFinance(caller),
      overlap: body.overlapHours * HOUR,
    })
    await takeResponsibility(db, caller, row.id)
    await note('webhook-secret-rotated', { hours: body.overlapHours })
    return { webhook: await readWebhook(db, row.id), secret }
  })

export const setWebhookState: Handler<typeof api.setWebhookState> = ({ body: { id, state } }, context) =>
  changeEndpoint(context, id, async (db, row, note) => {
    // A disabled endpoint is resumed, not paused, so that waiting events are not forgotten.
    if (row.state === 'disabled' && state === 'paused') throw new Refused('conflict')
    if (row.state !== state) {
      if (row.disabled_for === 'finance_lost' && !readsFinance(context.caller)) throw new Refused('forbidden')
      context.caller.requireStepUp()
      await setEndpointState(db, id, state)
      if (state === 'active') await takeResponsibility(db, context.caller, id)
      await note(state === 'paused' ? 'webhook-paused' : 'webhook-resumed')
      await announceChange(db, 'webhooks')
    }
    return readWebhook(db, id)
  })

export const deleteWebhook: Handler<typeof api.deleteWebhook> = ({ body: { id } }, context) =>
  changeEndpoint(context, id, async (db, _, note) => {
    context.caller.requireStepUp()
    await markEndpointDeleted(db, id)
    await note('webhook-deleted')
    return { deleted: true as const }
  })

/** Returns the URL without its fragment. The name is resolved, and the destination checked, on each delivery. */
function requireUsable({ config }: MemberContext, text: string): string {
  if (!URL.canParse(text)) throw refusedField('url', 'invalid')
  const url = new URL(text)
  const problem = validateUrl(config, url)
  if (problem) throw refusedField('url', `url_${problem}`)
  url.hash = ''
  return url.href
}

export const listWebhookDeliveries: Handler<typeof api.listWebhookDeliveries> = async (
  { params, query },
  { db, caller, answer },
) => {
  await readWebhook(db, params.id)
  const { rows, next } = await listDeliveries(db, params.id, query)
  answer.setNext(next)
  return rows.map((row) => presentDelivery(row, readsFinance(caller)))
}

export const testWebhook: Handler<typeof api.testWebhook> = ({ body }, context) =>
  changeEndpoint(context, body.id, async (db, { id }, note) => {
    context.caller.requireStepUp()
    const written = await recordTestEvent(db, id)
    await note('webhook-tested')
    return written
  })

export const resendWebhookDelivery: Handler<typeof api.resendWebhookDelivery> = async ({ body }, context) => {
  const { db, caller } = context
  await requireWithin(context)
  return transaction(db, async (db) => {
    const row = await lockDelivery(db, body.id)
    if (!row) throw new Refused('not_found')
    // A delivery in progress can't be resent.
    if (row.state === 'waiting' && row.is_in_hand) throw new Refused('conflict')
    caller.requireStepUp()
    await renewDelivery(db, row.id)
    await noteOn(db, context, row.endpoint_id)('webhook-delivery-resent', { from: row.state })
    await announceChange(db, 'webhooks')
    return presentDelivery((await findDelivery(db, row.id))!, readsFinance(caller))
  })
}

export const resendFailedDeliveries: Handler<typeof api.resendFailedDeliveries> = ({ body }, context) =>
  changeEndpoint(context, body.id, async (db, { id }, note) => {
    context.caller.requireStepUp()
    const count = await renewFailed(db, id, body.since)
    if (count > 0) {
      await note('webhook-failures-resent', { count })
      await announceChange(db, 'webhooks')
    }
    return { count }
  })

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
 * Replaces data about orders and identity cases for callers without the right to read them. This includes the response,
 * because an endpoint may repeat what it received.
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
