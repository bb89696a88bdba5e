import { noteOutage } from '../../note-outage.ts'
import type { LegalDocument } from '#contract/consents.ts'
import { isOutage, transaction, type Tx } from '../../db/database.ts'
import { sleepBefore, startByClock } from '../../jobs/start-by-clock.ts'
import type { Worker } from '../../noun.ts'
import type { Services } from '../../services.ts'
import { applyPublished } from './apply-published.ts'
import { endReleaseItself } from './end-release-itself.ts'
import { lockContent } from './piece.queries.ts'
import { publishPieces } from './publish-pieces.ts'
import { readyAtItsTime } from './release-still-holds.ts'
import {
  endRelease,
  findDueRelease,
  findRelease,
  isPast,
  readTimeToNextRelease,
  type ReleaseRow,
} from './release.queries.ts'

type Needed = Pick<Services, 'db' | 'content' | 'config' | 'keys' | 'log'>

/**
 * Shows what other instances published, as soon as they say so or a lost connection is back, and publishes what is due by
 * the clock of the database.
 */
export const startContentWorker = (services: Needed): Required<Worker> =>
  startByClock(services.db, {
    job: 'contentPublishing',
    topic: 'content',
    work: (isStopped) => work(services, isStopped),
    onFailure: (error) => logFailure(services, error),
  })

async function work(services: Needed, isStopped: () => boolean): Promise<number> {
  await applyPublished(services)
  const wait = await publishDueContent(services, isStopped)
  await applyPublished(services)
  return wait
}

/** Returns how long to sleep. A release that cannot be published does not delay the others. */
export async function publishDueContent(
  services: Needed,
  isStopped: () => boolean = () => false,
): Promise<number> {
  const failed: string[] = []
  while (!isStopped()) {
    const due = await findDueRelease(services.db, failed)
    if (!due) break
    try {
      await transaction(services.db, async (db) => {
        await lockContent(db)
        const release = await findRelease(db, due.id)
        // Another instance was first, or somebody cancelled it meanwhile.
        if (release?.state !== 'scheduled' || !release.publish_at || !(await isPast(db, release.publish_at)))
          return
        await publishDue(db, services, release)
      })
    } catch (error) {
      if (isOutage(error)) throw error
      failed.push(due.id)
      services.log.error({ release: due.id, name: nameOf(error) }, 'scheduled content was not published')
    }
  }
  return sleepBefore(await readTimeToNextRelease(services.db))
}

/** What is not to be published by now ends as failed and says why; its drafts stay. */
async function publishDue(db: Tx, services: Needed, release: ReleaseRow): Promise<void> {
  const found = await readyAtItsTime(db, services, release)
  if ('cause' in found) {
    await endReleaseItself(db, release, found.cause)
    services.log.warn({ release: release.id, cause: found.cause }, 'scheduled content could not be published')
    return
  }
  await endRelease(db, release.id, { state: 'published', by: null })
  await publishPieces(db, services, found.ready, {
    by: release.proposed_by,
    confirmedBy: release.confirmed_by,
    newVersions: release.new_versions as LegalDocument[],
    origin: 'console',
  })
}

function logFailure({ log }: Needed, error: unknown): void {
  if (isOutage(error)) noteOutage(log, 'database', error as { code?: string })
  else log.error({ name: nameOf(error) }, 'publishing of content failed')
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown')
