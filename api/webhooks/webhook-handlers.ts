import { randomUUID } from 'node:crypto'
import type { api } from '#contract/api.ts'
import { HOUR } from '#contract/durations.ts'
import type { InputOf } from '#contract/endpoint.ts'
import { chosenEventTypes } from '#contract/webhook-events.ts'
import { webhook, webhooksMax, type Webhook } from '#contract/webhooks.ts'
import { announceChange } from '../db/changes.ts'
import { transaction, type Tx } from '../db/database.ts'
import { project } from '../db/project.ts'
import type { Handler, MemberContext } from '../http/handler.ts'
import { Refused, refusedField } from '../refused.ts'
import { changeEndpoint, noteChange, requireWithin } from './change-endpoint.ts'
import {
  isSecretOfFinance,
  readsFinance,
  requireMayAdd,
  requireMayChoose,
  requireMayRedirect,
} from './of-finance.ts'
import { validateUrl } from './sending/validate-url.ts'
import { hostOf, notifyAdmins } from './notify-admins.ts'
import { newSecret } from './webhook-secret.ts'
import {
  findEndpoint,
  insertEndpoint,
  listEndpoints,
  lockAndCountEndpoints,
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

export const createWebhook: Handler<typeof api.createWebhook> = async ({ body }, context) => {
  const { db, keys, caller } = context
  await requireWithin(context, 'changes')
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
    await noteChange(db, context, id, {
      action: 'webhook-created',
      detail: { fields: events, to: hostOf(url) },
    })
    await notifyAdmins(db, context, 'staff-webhook-added', { id, url })
    return { webhook: await readWebhook(db, id), secret }
  })
}

export const updateWebhook: Handler<typeof api.updateWebhook> = async ({ body }, context) => {
  const { caller } = context
  const wanted = { ...body, ...(body.url !== undefined && { url: requireUsable(context, body.url) }) }
  return changeEndpoint(context, body.id, 'changes', async (db, row, note) => {
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

export const rotateWebhookSecret: Handler<typeof api.rotateWebhookSecret> = ({ body }, context) => {
  const { keys, caller } = context
  const secret = newSecret()
  return changeEndpoint(context, body.id, 'changes', async (db, row, note) => {
    await requireMayRedirect(db, caller, row)
    caller.requireStepUp()
    await replaceSecret(db, row.id, {
      sealed: keys.seal('webhook', row.id, secret),
      isOfFinance: readsFinance(caller),
      overlap: body.overlapHours * HOUR,
    })
    await note('webhook-secret-rotated', { hours: body.overlapHours })
    return { webhook: await readWebhook(db, row.id), secret }
  })
}

export const setWebhookState: Handler<typeof api.setWebhookState> = ({ body: { id, state } }, context) =>
  changeEndpoint(context, id, 'changes', async (db, row, note) => {
    // A disabled endpoint is resumed, not paused, so that waiting events are not forgotten.
    if (row.state === 'disabled' && state === 'paused') throw new Refused('conflict')
    if (row.state !== state) {
      context.caller.requireStepUp()
      await setEndpointState(db, id, state)
      await note(state === 'paused' ? 'webhook-paused' : 'webhook-resumed')
      await announceChange(db, 'webhooks')
    }
    return readWebhook(db, id)
  })

export const deleteWebhook: Handler<typeof api.deleteWebhook> = ({ body: { id } }, context) =>
  changeEndpoint(context, id, 'changes', async (db, _, note) => {
    context.caller.requireStepUp()
    await markEndpointDeleted(db, id)
    await note('webhook-deleted')
    return { deleted: true as const }
  })

/** Without its fragment. The name is resolved and the destination checked on each delivery. */
function requireUsable({ config }: MemberContext, text: string): string {
  if (!URL.canParse(text)) throw refusedField('url', 'invalid')
  const url = new URL(text)
  const problem = validateUrl(config, url)
  if (problem) throw refusedField('url', `url_${problem}`)
  url.hash = ''
  return url.href
}
