import brand from '#content/brand.json' with { type: 'json' }
import { HOUR, MINUTE, SECOND } from '#contract/durations.ts'
import { recordAudit } from '../../audit/audit.queries.ts'
import { transaction, type Database, type Tx } from '../../db/database.ts'
import type { WebhookDisabledFor } from '../../db/rows.ts'
import type { Services } from '../../services.ts'
import { makeSignal } from '../../signal.ts'
import { markDelivered, markFailed, releaseDelivery, type ClaimedDelivery } from '../delivery.queries.ts'
import { bodyOf } from '../event.queries.ts'
import { notifyAdmins } from '../notify-admins.ts'
import { disableEndpoint, recordDelivered, recordFailing } from '../webhook.queries.ts'
import { signatureOf } from '../webhook-secret.ts'
import { sendRequest, type Outcome, type Reach } from './send-request.ts'

/**
 * Delays after failed attempts, as recommended by Standard Webhooks; after the last one the delivery has
 * failed. Three days in total.
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

/** The delay after this many failures, up to a fifth longer, so that retries do not coincide. */
export function waitAfter(failed: number, random: () => number = Math.random): number | undefined {
  const wait = retryWaits[failed - 1]
  return wait === undefined ? undefined : Math.round(wait * (1 + 0.2 * random()))
}

/** An endpoint without a successful delivery for this long is disabled, in milliseconds. */
const disabledAfter = 70 * HOUR

/** Finished attempts, for the metrics. */
export const deliveryOutcomes = makeSignal<{ db: Database; outcome: 'delivered' | 'failed' }>()

type Needed = Pick<Services, 'db' | 'keys' | 'config' | 'log'>

/** Attempts a claimed delivery, and records the result. */
export async function tryDelivery(
  services: Needed,
  delivery: ClaimedDelivery,
  reach: Omit<Reach, 'settings'> = {},
): Promise<void> {
  const { db, log } = services
  const outcome = await attempt(services, delivery, reach)
  if (outcome.trouble === 'interrupted') return releaseDelivery(db, delivery, outcome)
  if (outcome.trouble === null) {
    await markDelivered(db, delivery, outcome)
    await recordDelivered(db, delivery.endpoint_id)
    return deliveryOutcomes.publish({ db, outcome: 'delivered' })
  }
  deliveryOutcomes.publish({ db, outcome: 'failed' })
  const { id, attempts, round_from, endpoint_id } = delivery
  log.warn(
    { delivery: id, webhook: endpoint_id, attempts, trouble: outcome.trouble, status: outcome.status },
    'a webhook was not delivered',
  )
  const wait = outcome.trouble === 'gone' ? undefined : waitAfter(attempts - round_from)
  await transaction(db, async (db) => {
    if (!(await markFailed(db, delivery, outcome, wait))) return
    await recordFailing(db, endpoint_id)
    if (wait === undefined)
      await disable(db, services, endpoint_id, outcome.trouble === 'gone' ? 'gone' : 'failures')
  })
}

async function attempt(
  { keys, config }: Needed,
  delivery: ClaimedDelivery,
  reach: Omit<Reach, 'settings'>,
): Promise<Outcome> {
  const secrets: string[] = []
  try {
    for (const sealed of [delivery.sealed_secret, delivery.sealed_former_secret])
      if (sealed) secrets.push(keys.open('webhook', delivery.endpoint_id, sealed))
  } catch {
    return { trouble: 'unreadable_secret', status: null, excerpt: '', ms: 0 }
  }
  const id = delivery.event_id
  const body = bodyOf({ id, type: delivery.type, createdAt: delivery.created_at, data: delivery.data })
  const timestamp = Math.floor(Date.now() / 1000)
  const headers = {
    'content-type': 'application/json',
    'user-agent': `${brand.name.replaceAll(/[^\w.-]/g, '') || 'Site'}-Webhooks/1`,
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatureOf(secrets, { id, timestamp, body }),
  }
  return sendRequest(delivery.url, { headers, body }, { ...reach, settings: config })
}

/** Automatic, so there is no actor. Later events wait until the endpoint is resumed. */
async function disable(db: Tx, services: Needed, id: string, why: WebhookDisabledFor): Promise<void> {
  const url = await disableEndpoint(db, id, why, why === 'gone' ? undefined : disabledAfter)
  if (url === undefined) return
  await recordAudit(db, {
    actorId: null,
    action: 'webhook-disabled',
    subjectKind: 'webhook',
    subjectId: id,
    detail: { why },
  })
  await notifyAdmins(db, services, why === 'gone' ? 'staff-webhook-gone' : 'staff-webhook-disabled', {
    id,
    url,
  })
}
