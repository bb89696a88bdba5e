import { SECOND } from '#contract/durations.ts'
import { transaction } from '../../db/database.ts'
import type { Worker } from '../../module.ts'
import { startOutbox } from '../../outbox/start-outbox.ts'
import type { Services } from '../../services.ts'
import {
  claimDeliveries,
  lockDueEndpoints,
  releaseDeliveriesOf,
  type ClaimedDelivery,
} from '../delivery.queries.ts'
import type { Reach } from './send-request.ts'
import { tryDelivery } from './try-delivery.ts'

/**
 * Concurrent deliveries per endpoint over all instances, so that a slow endpoint does not delay others. At most
 * `webhooksMax` endpoints exist, so the total is limited as well.
 */
const concurrencyDefault = 4
/** Longer than an attempt takes, so that no delivery is sent twice. In milliseconds. */
const leaseDefault = 40 * SECOND

type Options = { concurrency?: number; lease?: number; reach?: Omit<Reach, 'settings' | 'signal'> }

/** Sends waiting deliveries. A crash repeats at most those in flight, with the same IDs. */
export function startWebhookWorker(
  services: Services,
  { concurrency = concurrencyDefault, lease = leaseDefault, reach = {} }: Options = {},
): Required<Worker> {
  const claim = () =>
    transaction(services.db, async (db) => {
      const claimed: ClaimedDelivery[] = []
      for (const id of await lockDueEndpoints(db, concurrency))
        claimed.push(...(await claimDeliveries(db, id, { lease, concurrency })))
      return claimed
    })
  return startOutbox(services, {
    job: 'webhookDelivery',
    topic: 'webhooks',
    lease,
    claim,
    attempt: (delivery, signal) => tryDelivery(services, delivery, { ...reach, signal }),
    releaseClaimsOf: releaseDeliveriesOf,
    failed: 'sending webhooks failed',
  })
}
