import brand from '#content/brand.json' with { type: 'json' }
import { HOUR, MINUTE, SECOND } from '#contract/platform/durations.ts'
import { recordAudit } from '../../../platform/audit/audit.queries.ts'
import { transaction, type Database, type Tx } from '../../../platform/db/database.ts'
import type { WebhookDisabledFor } from '../../../platform/db/rows.ts'
import type { Worker } from '../../../platform/module.ts'
import { hasEffectiveLevel } from '../../../people/sessions/is-still-staff.ts'
import { startOutbox } from '../../../platform/outbox/start-outbox.ts'
import type { Services } from '../../../platform/services.ts'
import { makeSignal } from '../../../platform/signal.ts'
import {
  claimDeliveries,
  lockDueEndpoints,
  markDelivered,
  markFailed,
  releaseDeliveriesOf,
  releaseDelivery,
  type ClaimedDelivery,
  type Outcome,
} from '../../../platform/outbox/delivery.queries.ts'
import { bodyOf } from '../../../platform/outbox/event.queries.ts'
import { notifyAdmins } from '../notify-admins.ts'
import { disableEndpoint, recordDelivered, recordFailing } from '../webhook.queries.ts'
import { signatureOf } from '../webhook-secret.ts'
import { sendRequest } from './send-request.ts'

/**
 * Concurrent deliveries per endpoint over all instances, so that a slow endpoint does not delay others. At most
 * `webhooksMax` endpoints exist, so the total is limited as well.
 */
const concurrency = 4
/**
 * How long a delivery is claimed, in milliseconds. This is longer than an attempt takes, so that nothing is sent twice.
 */
const lease = 40 * SECOND

/** Sends waiting deliveries. A crash repeats at most those in flight, with the same IDs. */
export const startWebhookWorker = (services: Services): Required<Worker> =>
  startOutbox(services, {
    job: 'webhookDelivery',
    topic: 'webhooks',
    lease,
    claim: () =>
      transaction(services.db, async (db) => {
        const claimed: ClaimedDelivery[] = []
        for (const { id, finance_responsible_by: by, is_finance_due } of await lockDueEndpoints(
          db,
          concurrency,
        ))
          if (is_finance_due && !(await hasEffectiveLevel(db, services.config, by, ['finance', 1])))
            await disable(db, services, id, 'finance_lost')
          else claimed.push(...(await claimDeliveries(db, id, { lease, concurrency })))
        return claimed
      }),
    attempt: (delivery, signal) => tryDelivery(services, delivery, signal),
    releaseClaimsOf: releaseDeliveriesOf,
    failed: 'sending webhooks failed',
  })

/**
 * Delays after failed attempts, as recommended by Standard Webhooks. They add up to three days. After the last one, the
 * delivery has failed.
 */
export const retryWaits: readonly number[] = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  20 * HOUR,
]

/** Returns the delay after this many failures, up to a fifth longer, so that retries don't coincide. */
export function waitAfter(failed: number, random: () => number = Math.random): number | undefined {
  const wait = retryWaits[failed - 1]
  return wait === undefined ? undefined : Math.round(wait * (1 + 0.2 * random()))
}

/** An endpoint without a successful delivery for this long is disabled, in milliseconds. */
const disabledAfter = 70 * HOUR

/** Finished attempts, for the metrics. */
export const deliveryOutcomes = makeSignal<{ db: Database; outcome: 'delivered' | 'failed' }>()

/** Attempts a claimed delivery, and records the result. */
async function tryDelivery(services: Services, delivery: ClaimedDelivery, signal: AbortSignal) {
  const { db, log } = services
  const outcome = await attempt(services, delivery, signal)
  const { trouble, status } = outcome
  if (trouble === 'interrupted') return releaseDelivery(db, delivery, outcome)
  if (trouble === null) {
    await markDelivered(db, delivery, outcome)
    await recordDelivered(db, delivery.endpoint_id)
    return deliveryOutcomes.publish({ db, outcome: 'delivered' })
  }
  deliveryOutcomes.publish({ db, outcome: 'failed' })
  const { id, attempts, round_from, endpoint_id } = delivery
  log.warn({ delivery: id, webhook: endpoint_id, attempts, trouble, status }, 'a webhook was not delivered')
  const isGone = trouble === 'gone'
  const wait = isGone ? undefined : waitAfter(attempts - round_from)
  await transaction(db, async (db) => {
    if (!(await markFailed(db, delivery, outcome, wait))) return
    await recordFailing(db, endpoint_id)
    if (wait === undefined) await disable(db, services, endpoint_id, isGone ? 'gone' : 'failures')
  })
}

async function attempt(
  { keys, config }: Services,
  { endpoint_id, event_id: id, type, created_at: createdAt, data, url, ...sealed }: ClaimedDelivery,
  signal: AbortSignal,
): Promise<Outcome> {
  const secrets: string[] = []
  try {
    for (const each of [sealed.sealed_secret, sealed.sealed_former_secret])
      if (each) secrets.push(keys.open('webhook', endpoint_id, each))
  } catch {
    return { trouble: 'unreadable_secret', status: null, excerpt: '', ms: 0 }
  }
  const body = bodyOf({ id, type, createdAt, data })
  const timestamp = Math.floor(Date.now() / 1000)
  const headers = {
    'content-type': 'application/json',
    'user-agent': `${brand.name.replaceAll(/[^\w.-]/g, '') || 'Site'}-Webhooks/1`,
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatureOf(secrets, { id, timestamp, body }),
  }
  return sendRequest(url, { headers, body }, { settings: config, signal })
}

const disabledMails = {
  failures: 'staff-webhook-disabled',
  gone: 'staff-webhook-gone',
  finance_lost: 'staff-webhook-finance-lost',
} as const satisfies Record<WebhookDisabledFor, string>

/**
 * Disables an endpoint. The system does this, so there is no actor. Later events wait until the endpoint is resumed.
 */
async function disable(db: Tx, services: Services, id: string, why: WebhookDisabledFor): Promise<void> {
  const url = await disableEndpoint(db, id, why, why === 'failures' ? disabledAfter : undefined)
  if (url === undefined) return
  await recordAudit(db, {
    actorId: null,
    action: 'webhook-disabled',
    subjectKind: 'webhook',
    subjectId: id,
    detail: { why },
  })
  await notifyAdmins(db, services, disabledMails[why], { id, url })
}
