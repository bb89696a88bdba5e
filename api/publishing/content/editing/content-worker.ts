import { isOutage, transaction } from '../../../platform/db/database.ts'
import { nameOf } from '../../../platform/jobs/log-failure.ts'
import { sleepBefore, startByClock } from '../../../platform/jobs/start-by-clock.ts'
import type { Worker } from '../../../platform/module.ts'
import type { Services } from '../../../platform/services.ts'
import { applyPublished } from './apply-published.ts'
import { lockContent } from './content-item.queries.ts'
import { findDueRelease, findRelease, readTimeToNextRelease } from './release.queries.ts'
import { endReleaseItself, publishRelease, readyAtItsTime } from './releases.ts'

type Needed = Pick<Services, 'db' | 'content' | 'config' | 'keys' | 'log' | 'maintenance'>

/**
 * Applies what other instances published, on notification or after a lost connection is restored, and publishes
 * what is due by the clock of the database.
 */
export const startContentWorker = (services: Needed): Required<Worker> =>
  startByClock(services, {
    job: 'contentPublishing',
    topic: 'content',
    work: (isStopped) => work(services, isStopped),
    failed: 'publishing content failed',
    // What was published just before must be applied in every instance.
    worksInMaintenance: true,
  })

async function work(services: Needed, isStopped: () => boolean): Promise<number> {
  await applyPublished(services)
  const wait = await publishDueContent(services, isStopped)
  await applyPublished(services)
  return wait
}

/**
 * Returns how long to sleep. A release that may no longer be published fails with a reason, and its drafts stay; it
 * does not delay the others.
 */
export async function publishDueContent(
  services: Needed,
  isStopped: () => boolean = () => false,
): Promise<number> {
  const failed: string[] = []
  while (!isStopped() && !(await services.maintenance.check())) {
    const due = await findDueRelease(services.db, failed)
    if (!due) break
    try {
      await transaction(services.db, async (db) => {
        await lockContent(db)
        const release = await findRelease(db, due.id)
        // Another instance may have published it, or someone canceled it meanwhile.
        if (release?.state !== 'scheduled' || !release.is_due) return
        const found = await readyAtItsTime(db, services, release)
        if ('ready' in found)
          return publishRelease(db, services, release, { ready: found.ready, approver: null })
        const { cause } = found
        await endReleaseItself(db, release, cause)
        services.log.warn({ release: release.id, cause }, 'scheduled content could not be published')
      })
    } catch (error) {
      if (isOutage(error)) throw error
      failed.push(due.id)
      services.log.error({ release: due.id, name: nameOf(error) }, 'scheduled content was not published')
    }
  }
  return sleepBefore(await readTimeToNextRelease(services.db))
}
