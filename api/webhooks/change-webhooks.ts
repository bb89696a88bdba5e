import { randomUUID } from 'node:crypto'
import type { api } from '#contract/api.ts'
import type { AuditAction } from '#contract/audit-actions.ts'
import { HOUR } from '#contract/durations.ts'
import { webhooksMax, type Webhook } from '#contract/webhooks.ts'
import { recordAudit } from '../audit/audit.queries.ts'
import { announceChange } from '../db/changes.ts'
import { transaction, type Tx } from '../db/database.ts'
import type { Handler, MemberContext } from '../http/handler.ts'
import { requireWithinLimits } from '../rate-limits/rate-limit.ts'
import { Refused, refusedField } from '../refused.ts'
import { readsFinance, requireMayAdd, requireMayChoose, requireMayRedirect } from './of-finance.ts'
import { presentWebhook } from './present-webhook.ts'
import { judgeUrl } from './sending/judge-url.ts'
import { hostOf, tellAdmins } from './tell-admins.ts'
import { newSecret, sealSecret } from './webhook-secret.ts'
import {
  findEndpoint,
  insertEndpoint,
  lockAndCountEndpoints,
  lockEndpoint,
  markEndpointDeleted,
  replaceSecret,
  setEndpointState,
  updateEndpoint,
  type WebhookRow,
} from './webhook.queries.ts'

const changesPerHourMax = 60

/** Where members’ ids and amounts go is decided by whoever proves that it is them. */
async function requireMayChange({ caller, db, keys }: MemberContext): Promise<void> {
  caller.requireStepUp()
  await requireWithinLimits(db, keys, [
    { key: `webhooks ${caller.memberId}`, max: changesPerHourMax, window: HOUR },
  ])
}

export const createWebhook: Handler<typeof api.createWebhook> = async ({ body }, context) => {
  const { db, keys, caller } = context
  await requireMayChange(context)
  requireMayChoose(caller, body.events)
  requireUsable(context, body.url)
  const id = randomUUID()
  const secret = newSecret()
  return transaction(db, async (db) => {
    if ((await lockAndCountEndpoints(db)) >= webhooksMax) throw new Refused('conflict')
    const events = [...new Set(body.events)]
    const url = withoutFragment(body.url)
    await insertEndpoint(db, {
      id,
      url,
      description: body.description,
      events,
      sealedSecret: sealSecret(keys, id, secret),
      isSecretOfFinance: readsFinance(caller),
      by: caller.memberId,
    })
    await note(db, caller.memberId, id, 'webhook-created', { fields: events, to: hostOf(url) })
    await tellAdmins(db, context, 'staff-webhook-added', { id, url })
    return { webhook: await readWebhook(db, id), secret }
  })
}

export const updateWebhook: Handler<typeof api.updateWebhook> = async ({ body }, context) => {
  await requireMayChange(context)
  if (body.url !== undefined) requireUsable(context, body.url)
  return onEndpoint(context, body.id, async (db, row) => {
    if (body.updatedAt !== undefined && body.updatedAt !== row.updated_at.toISOString())
      throw new Refused('conflict')
    const url = body.url === undefined ? undefined : withoutFragment(body.url)
    const events = body.events && [...new Set(body.events)].toSorted()
    const change = {
      ...(url !== undefined && url !== row.url && { url }),
      ...(body.description !== undefined &&
        body.description !== row.description && { description: body.description }),
      ...(events && events.join() !== row.event_types.toSorted().join() && { events }),
    }
    const fields = Object.keys(change)
    if (fields.length === 0) return
    if (change.url !== undefined) await requireMayRedirect(db, context.caller, row)
    const added = (change.events ?? []).filter((type) => !row.event_types.includes(type))
    requireMayAdd(context.caller, row, added)
    await updateEndpoint(db, row.id, change)
    const hosts = change.url !== undefined && { from: hostOf(row.url), to: hostOf(change.url) }
    await note(db, context.caller.memberId, row.id, 'webhook-updated', { fields, ...hosts })
    if (change.url !== undefined)
      await tellAdmins(db, context, 'staff-webhook-moved', { id: row.id, url: change.url })
    if (added.length > 0)
      await tellAdmins(db, context, 'staff-webhook-extended', { id: row.id, url: change.url ?? row.url })
  })
}

export const rotateWebhookSecret: Handler<typeof api.rotateWebhookSecret> = async ({ body }, context) => {
  await requireMayChange(context)
  const secret = newSecret()
  const webhook = await onEndpoint(context, body.id, async (db, row) => {
    await requireMayRedirect(db, context.caller, row)
    const sealed = sealSecret(context.keys, row.id, secret)
    const isOfFinance = readsFinance(context.caller)
    await replaceSecret(db, row.id, { sealed, isOfFinance, overlap: body.overlapHours * HOUR })
    await note(db, context.caller.memberId, row.id, 'webhook-secret-rotated', { hours: body.overlapHours })
  })
  return { webhook, secret }
}

export const setWebhookState: Handler<typeof api.setWebhookState> = async ({ body }, context) => {
  await requireMayChange(context)
  return onEndpoint(context, body.id, async (db, row) => {
    if (row.state === body.state) return
    // A disabled one is let go on, not paused: what waits would be forgotten about.
    if (row.state === 'disabled' && body.state === 'paused') throw new Refused('conflict')
    await setEndpointState(db, row.id, body.state)
    await note(
      db,
      context.caller.memberId,
      row.id,
      body.state === 'paused' ? 'webhook-paused' : 'webhook-resumed',
    )
    await announceChange(db, 'webhooks')
  })
}

export const deleteWebhook: Handler<typeof api.deleteWebhook> = async ({ body }, context) => {
  const { db, caller } = context
  await requireMayChange(context)
  return transaction(db, async (db) => {
    const row = await lockEndpoint(db, body.id)
    if (!row) throw new Refused('not_found')
    await markEndpointDeleted(db, row.id)
    await note(db, caller.memberId, row.id, 'webhook-deleted')
    return { deleted: true as const }
  })
}

const onEndpoint = (
  { db }: MemberContext,
  id: string,
  step: (db: Tx, row: WebhookRow) => Promise<void>,
): Promise<Webhook> =>
  transaction(db, async (db) => {
    const row = await lockEndpoint(db, id)
    if (!row) throw new Refused('not_found')
    await step(db, row)
    return readWebhook(db, id)
  })

const readWebhook = async (db: Tx, id: string): Promise<Webhook> =>
  presentWebhook((await findEndpoint(db, id))!)

/** Its name is resolved, and what it leads to judged, each time that something is sent. */
function requireUsable({ config }: MemberContext, url: string): void {
  if (!URL.canParse(url)) throw refusedField('url', 'invalid')
  const problem = judgeUrl(config, new URL(url))
  if (problem) throw refusedField('url', `url_${problem}`)
}

const withoutFragment = (text: string): string => {
  const url = new URL(text)
  url.hash = ''
  return url.href
}

const note = (
  db: Tx,
  actorId: string,
  subjectId: string,
  action: AuditAction,
  detail: Record<string, string | number | string[]> = {},
): Promise<void> => recordAudit(db, { actorId, action, subjectKind: 'webhook', subjectId, detail })
