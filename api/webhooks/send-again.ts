import type { api } from '#contract/api.ts'
import { HOUR } from '#contract/durations.ts'
import { recordAudit } from '../audit/audit.queries.ts'
import { announceChange } from '../db/changes.ts'
import { transaction } from '../db/database.ts'
import type { Handler, MemberContext } from '../http/handler.ts'
import { requireWithinLimits } from '../rate-limits/rate-limit.ts'
import { Refused } from '../refused.ts'
import { findDelivery, lockDelivery, renewDelivery, renewFailed } from './delivery-log.queries.ts'
import { noteTest } from './note-event.ts'
import { readsFinance } from './of-finance.ts'
import { presentDelivery } from './present-webhook.ts'
import { lockEndpoint } from './webhook.queries.ts'

const testsPerHourMax = 60
/** One by one; all failures of an endpoint at once are one. */
const repetitionsPerHourMax = 120

/** What is sent again leaves the house again, and may be much. */
async function requireMaySend({ caller, db, keys }: MemberContext, what: string, max: number): Promise<void> {
  caller.requireStepUp()
  await requireWithinLimits(db, keys, [{ key: `webhook ${what} ${caller.memberId}`, max, window: HOUR }])
}

export const testWebhook: Handler<typeof api.testWebhook> = async ({ body }, context) => {
  const { db, caller } = context
  await requireMaySend(context, 'tests', testsPerHourMax)
  return transaction(db, async (db) => {
    const row = await lockEndpoint(db, body.id)
    if (!row) throw new Refused('not_found')
    const written = await noteTest(db, row.id)
    await recordAudit(db, {
      actorId: caller.memberId,
      action: 'webhook-tested',
      subjectKind: 'webhook',
      subjectId: row.id,
    })
    return written
  })
}

export const resendWebhookDelivery: Handler<typeof api.resendWebhookDelivery> = async ({ body }, context) => {
  const { db, caller } = context
  await requireMaySend(context, 'repetitions', repetitionsPerHourMax)
  return transaction(db, async (db) => {
    const row = await lockDelivery(db, body.id)
    if (!row) throw new Refused('not_found')
    // Nobody sends what is being sent at this moment.
    if (row.state === 'waiting' && row.is_in_hand) throw new Refused('conflict')
    await renewDelivery(db, row.id)
    await recordAudit(db, {
      actorId: caller.memberId,
      action: 'webhook-delivery-resent',
      subjectKind: 'webhook',
      subjectId: row.endpoint_id,
      detail: { from: row.state },
    })
    await announceChange(db, 'webhooks')
    return presentDelivery((await findDelivery(db, row.id))!, readsFinance(caller))
  })
}

export const resendFailedDeliveries: Handler<typeof api.resendFailedDeliveries> = async (
  { body },
  context,
) => {
  const { db, caller } = context
  await requireMaySend(context, 'repetitions', repetitionsPerHourMax)
  return transaction(db, async (db) => {
    const row = await lockEndpoint(db, body.id)
    if (!row) throw new Refused('not_found')
    const count = await renewFailed(db, row.id, new Date(body.since))
    if (count === 0) return { count }
    await recordAudit(db, {
      actorId: caller.memberId,
      action: 'webhook-failures-resent',
      subjectKind: 'webhook',
      subjectId: row.id,
      detail: { count },
    })
    await announceChange(db, 'webhooks')
    return { count }
  })
}
