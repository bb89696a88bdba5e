import { randomBytes } from 'node:crypto'
import { DAY, MINUTE, SECOND } from '#contract/platform/durations.ts'
import { startEvery } from '../../platform/jobs/start-every.ts'
import { logFailure } from '../../platform/jobs/log-failure.ts'
import type { Services } from '../../platform/services.ts'
import { addReads, deletePastMarks, listReferrersOn, shareSalt } from './read-count.queries.ts'
import { makeTally, nameOfDay, readLimits } from './tally-reads.ts'

const storedEvery = 10 * SECOND
const storedAtOnce = 1000
/** Clocks of instances may differ by this much. */
const margin = MINUTE
const failed = 'reads could not be stored'

type CountingOptions = { now?: () => number; limits?: typeof readLimits }
export type ReadCounter = NonNullable<Awaited<ReturnType<typeof startCounting>>>

/**
 * Counts readers without cookies or stored addresses, and stores the counts every few seconds and on `stop`. Undefined
 * if the setting turns this off.
 */
export async function startCounting(
  services: Pick<Services, 'config' | 'content' | 'db' | 'log' | 'maintenance'>,
  { now = Date.now, limits = readLimits }: CountingOptions = {},
) {
  if (!services.config.countsReads) return undefined
  const { db } = services
  const tally = makeTally(services, { now, limits })
  let storing: Promise<void> | undefined
  /** The data about readers of all days before this one has been deleted. */
  let firstKept: number | undefined

  async function storeAll(): Promise<void> {
    while (tally.pending.length > 0) {
      const stored = tally.pending.slice(0, storedAtOnce)
      // If the connection is lost, this is repeated, which counts nothing twice.
      await addReads(db, stored)
      tally.pending.splice(0, stored.length)
    }
  }
  const store = () => (storing ??= storeAll().finally(() => (storing = undefined)))

  /** Opens each day a little early, and closes it a little late, when its reads are stored. */
  async function changeDays(): Promise<void> {
    const first = Math.floor((now() - margin) / DAY)
    tally.closeBefore(first)
    if (first !== firstKept) await deletePastMarks(db, nameOfDay(first))
    firstKept = first
    for (const day of new Set([first, Math.floor((now() + margin) / DAY)])) {
      if (tally.isOpen(day)) continue
      const name = nameOfDay(day)
      const salt = await shareSalt(db, name, randomBytes(32).toString('base64url'))
      tally.open(day, salt, await listReferrersOn(db, name))
    }
  }

  const work = async () => {
    await store()
    await changeDays()
  }
  await changeDays()
  const worker = startEvery(services, { job: 'readCounts', every: storedEvery, work, failed })
  return {
    count: tally.count,
    /** Does what is due now. */
    work,
    async stop() {
      await worker.stop()
      // During maintenance, nothing is written, so the reads since its beginning are not counted.
      if (!services.maintenance.current())
        await store().catch((error: unknown) => logFailure(services, error, failed))
    },
  }
}
