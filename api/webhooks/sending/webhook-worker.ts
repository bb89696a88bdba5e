import { noteOutage } from '../../note-outage.ts'
import { SECOND } from '#contract/durations.ts'
import { isOutage, transaction } from '../../db/database.ts'
import { noteRun } from '../../jobs/note-run.ts'
import type { Worker } from '../../noun.ts'
import type { Services } from '../../services.ts'
import { claimDeliveries, findNextDue, lockDueEndpoint, type ClaimedDelivery } from './delivery.queries.ts'
import type { Reach } from './send-request.ts'
import { tryDelivery } from './try-delivery.ts'

/**
 * So many at once go to one endpoint, over all instances, whatever waits for it: one that is slow has these, and takes nothing from the
 * others. There are never more endpoints than `webhooksMax`, so that what is under way is bounded as well.
 */
const concurrencyDefault = 4
/** Longer than an attempt takes, so that nothing is given to two. */
const leaseDefault = 40 * SECOND
const pollEvery = 5 * SECOND
const stopWaitMax = 3 * SECOND

type Options = { concurrency?: number; lease?: number; reach?: Omit<Reach, 'settings' | 'signal'> }

/** Delivers what was written for the endpoints. A crash repeats at most what was under way, with the same ids. */
export function startWebhookWorker(
  services: Services,
  { concurrency = concurrencyDefault, lease = leaseDefault, reach = {} }: Options = {},
): Required<Worker> {
  const { db, log } = services
  const stopping = new AbortController()
  const { signal } = stopping
  const underWay = new Set<Promise<unknown>>()
  let isWoken = false
  let round: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  const claimSome = (without: readonly string[]) =>
    transaction(db, async (db) => {
      const endpoint = await lockDueEndpoint(db, without)
      if (endpoint === undefined) return undefined
      return { endpoint, claimed: await claimDeliveries(db, endpoint, { lease, concurrency }) }
    })
  const begin = (delivery: ClaimedDelivery) => {
    const attempt: Promise<unknown> = tryDelivery(services, delivery, { ...reach, signal })
      .catch(tell)
      .finally(() => {
        underWay.delete(attempt)
        // Its place is free, and what follows it of its subject may go.
        wake()
      })
    underWay.add(attempt)
  }
  const dispatch = async () => {
    const without: string[] = []
    while (!signal.aborted) {
      const found = await claimSome(without)
      if (!found) return
      without.push(found.endpoint)
      found.claimed.forEach(begin)
    }
  }
  const runRound = async () => {
    do {
      isWoken = false
      await dispatch()
    } while (isWoken && !signal.aborted)
    const due = await findNextDue(db)
    clearTimeout(timer)
    if (due !== undefined && due < pollEvery && !signal.aborted)
      timer = setTimeout(wake, Math.max(due, SECOND / 4))
  }
  const tell = (error: unknown) => {
    if (isOutage(error)) noteOutage(log, 'database', error as { code?: string })
    else log.error({ name: error instanceof Error ? error.name : 'unknown' }, 'sending webhooks failed')
    return false
  }
  const wake = () => {
    isWoken = true
    if (round || signal.aborted) return
    round = noteRun(db, 'webhookDelivery', runRound)
      .then(() => true, tell)
      .then((isDone) => {
        round = undefined
        // Who woke it after its last look would wait for the clock. What failed waits for it, so that it does not fail without a pause.
        if (isDone && isWoken) wake()
      })
  }
  const poll = setInterval(wake, pollEvery)
  wake()
  return {
    topic: 'webhooks',
    wake,
    async stop() {
      clearInterval(poll)
      clearTimeout(timer)
      // What was under way is released: it is sent again, with its id, by whoever comes next.
      stopping.abort()
      const ended = Promise.all([round, ...underWay])
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, stopWaitMax).unref())])
    },
  }
}
