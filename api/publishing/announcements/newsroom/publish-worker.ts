import { recordAudit } from '../../../platform/audit/audit.queries.ts'
import { announceChange } from '../../../platform/db/changes.ts'
import { isOutage, transaction } from '../../../platform/db/database.ts'
import { nameOf } from '../../../platform/jobs/log-failure.ts'
import { sleepBefore, startByClock } from '../../../platform/jobs/start-by-clock.ts'
import type { Worker } from '../../../platform/module.ts'
import type { Services } from '../../../platform/services.ts'
import { markPublished } from '../mark-published.ts'
import { lockDuePost, readTimeToNext } from './due-post.queries.ts'

type WorkerServices = Pick<Services, 'db' | 'keys' | 'config' | 'log' | 'maintenance'>

/**
 * Publishes scheduled posts when they are due by the database clock; posts that became due while no instance ran are
 * published at startup. Each has its own transaction under a lock, so only one instance publishes it.
 */
export const startPublishWorker = (services: WorkerServices): Required<Worker> =>
  startByClock(services, {
    job: 'publishing',
    topic: 'announcements',
    work: (isStopped) => publishWhatIsDue(services, isStopped),
    failed: 'publishing failed',
  })

/** Publishes due posts. Returns how long to sleep. A post that can't be published does not delay the others. */
export async function publishWhatIsDue(
  services: WorkerServices,
  isStopped: () => boolean = () => false,
): Promise<number> {
  const failed: string[] = []
  while (!isStopped() && (await publishNext(services, failed)));
  return sleepBefore(await readTimeToNext(services.db))
}

async function publishNext(services: WorkerServices, failed: string[]): Promise<boolean> {
  let taken: string | undefined
  try {
    return await transaction(services.db, async (db) => {
      const post = await lockDuePost(db, failed)
      if (!post) return false
      taken = post.id
      await markPublished(db, services, post.id)
      await recordAudit(db, {
        actorId: null,
        action: 'announcement-published',
        subjectKind: 'announcement',
        subjectId: post.id,
        detail: { version: post.version, publishAt: post.publish_at!.toISOString() },
      })
      await announceChange(db, 'announcements')
      return true
    })
  } catch (error) {
    if (taken === undefined || isOutage(error)) throw error
    failed.push(taken)
    services.log.error({ post: taken, name: nameOf(error) }, 'a scheduled post was not published')
    return true
  }
}
