import { setTimeout as pause } from 'node:timers/promises'
import { SECOND } from '#contract/platform/durations.ts'
import type { JobName } from '#contract/platform/job-names.ts'
import type { Topic } from '../db/changes.ts'
import type { Database } from '../db/database.ts'
import { listGone } from '../jobs/list-gone.ts'
import { sleepBefore, startByClock } from '../jobs/start-by-clock.ts'
import type { Worker } from '../module.ts'
import type { Services } from '../services.ts'

/** Milliseconds between releases of claims of ended instances. */
const releaseEvery = 15 * SECOND
const stopWaitMax = 3 * SECOND

/** An item that this instance is sending. */
export type UnderWay<Item> = { item: Item; isSlow: boolean }

type Outbox<Item> = {
  job: JobName
  topic: Topic
  /** The longest claim, in milliseconds. */
  lease: number
  /** Claims due items for which there is room beside those under way. Called until it claims none. */
  claim: (underWay: readonly UnderWay<Item>[]) => Promise<readonly Item[]>
  /** Sends an item and records the outcome. Aborting the signal ends it early, if nothing was sent. */
  attempt: (item: Item, signal: AbortSignal) => Promise<unknown>
  /** Releases claims, so that the next worker repeats their attempts, as after an expired lease. */
  releaseClaimsOf: (db: Database, instanceIds: readonly string[]) => Promise<unknown>
  /** Milliseconds after which an attempt is slow. */
  slowAfter?: number
  /** The log message for a failure other than a database outage. */
  failed: string
}

/**
 * Sends what waits in a table of the outbox. Each item is claimed by one instance for the time of its lease: a
 * crash repeats at most the items under way.
 */
export function startOutbox<Item>(
  services: Pick<Services, 'db' | 'log' | 'maintenance'>,
  { job, topic, lease, claim, attempt, releaseClaimsOf, slowAfter, failed }: Outbox<Item>,
): Required<Worker> {
  const { db } = services
  const stopping = new AbortController()
  const underWay = new Map<Promise<void>, UnderWay<Item>>()
  /** Failure of an attempt, which fails the following round. */
  let failure: unknown
  const releaseClaims = atIntervals(async () => {
    const gone = await listGone(db, { within: lease })
    if (gone.length > 0) await releaseClaimsOf(db, gone)
  })

  const begin = (item: Item) => {
    const entry = { item, isSlow: false }
    const beSlow = () => {
      entry.isSlow = true
      clock.wake()
    }
    const timer = slowAfter === undefined ? undefined : setTimeout(beSlow, slowAfter)
    const end = () => {
      clearTimeout(timer)
      underWay.delete(running)
      // There is room for another item.
      clock.wake()
    }
    const running = attempt(item, stopping.signal)
      .then(
        () => {},
        (error: unknown) => void (failure = error),
      )
      .finally(end)
    underWay.set(running, entry)
  }
  const work = async (isStopped: () => boolean) => {
    await releaseClaims()
    while (!isStopped()) {
      const items = await claim([...underWay.values()])
      if (items.length === 0) break
      items.forEach(begin)
    }
    const error = failure
    failure = undefined
    if (error !== undefined) throw error
    return sleepBefore(undefined)
  }
  const clock = startByClock(services, { job, topic, work, failed, rest: 0 })
  return {
    topic,
    wake: clock.wake,
    async stop() {
      stopping.abort()
      // An attempt that hangs must not delay the shutdown: its lease expires.
      await Promise.race([end(clock, underWay), pause(stopWaitMax, undefined, { ref: false })])
    },
  }
}

function atIntervals(release: () => Promise<void>): () => Promise<void> {
  let releasedAt = -Infinity
  return async () => {
    if (performance.now() - releasedAt < releaseEvery) return
    releasedAt = performance.now()
    await release()
  }
}

async function end(clock: Required<Worker>, underWay: ReadonlyMap<Promise<void>, unknown>): Promise<void> {
  await clock.stop()
  // The last round may have begun attempts for what it had just claimed.
  await Promise.all(underWay.keys())
}
