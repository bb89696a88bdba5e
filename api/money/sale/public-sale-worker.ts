import { SECOND } from '#contract/platform/durations.ts'
import { announceChange } from '../../platform/db/changes.ts'
import { transaction } from '../../platform/db/database.ts'
import { sleepBefore, startByClock } from '../../platform/jobs/start-by-clock.ts'
import type { Worker } from '../../platform/module.ts'
import type { Services } from '../../platform/services.ts'
import { readTimeToChange, updateShown } from './public-sale.queries.ts'
import { readSaleState } from './public-sale.ts'
import { sendReminders } from './sale-reminders.ts'

type WorkerServices = Pick<Services, 'db' | 'keys' | 'config' | 'content' | 'log' | 'maintenance'>

/**
 * Refreshes the public pages when the sale or a round opens, closes, or sells out, and at most once a minute after orders.
 * Sends the reminders once a new sale, or a round after a break, has been open for a while. All times are by the database
 * clock, and a change that was missed because no instance was running is handled at startup.
 */
export const startPublicSaleWorker = (services: WorkerServices): Required<Worker> =>
  startByClock(services, {
    job: 'publicSale',
    topic: 'sale',
    work: () => followSale(services),
    failed: 'updating the public sale failed',
  })

/** Returns the time until the next run, in milliseconds. */
export async function followSale(services: WorkerServices): Promise<number> {
  const { db } = services
  // Read before the state, so that a change in between is followed as well.
  const [readAt, dueIn] = [performance.now(), await readTimeToChange(db)]
  const { state, soldVersion, round } = await readSaleState(db)
  const shown = { state, soldVersion, roundId: round?.id ?? null }
  await transaction(db, async (db) => {
    if (await updateShown(db, shown)) await announceChange(db, 'sale')
  })
  const isMore = await sendReminders(services)
  return isMore ? SECOND : sleepBefore(dueIn && dueIn - (performance.now() - readAt))
}
