import { isOutage, transaction, type Database } from '../db/database.ts'
import { StoreFailed } from '../files/store-failed.ts'
import type { Services } from '../services.ts'
import { StartRefused } from '../start-refused.ts'
import { instance } from './instance.ts'
import { listAlive, listInstanceIds, lockInstances, recordHeartbeat, recordGone } from './job.queries.ts'

/** Folder in the store with a file per running instance, named after its ID. */
const folder = 'instances'
const markOf = (id: string) => `${folder}/${id}`

type Needed = Pick<Services, 'db' | 'files' | 'log'>

/**
 * Refuses to start next to an instance with a different store, because photos stored by one would be missing
 * for the other. Each instance writes its ID to its store; a starting one must find the IDs of all running
 * ones. A slow store delays nobody at the database, because it is queried between transactions.
 */
export async function requireCommonStore({ db, files, log }: Needed, own = instance): Promise<void> {
  try {
    // Registered before it leaves its mark, so that nobody takes the mark for one of an instance that is gone.
    await recordHeartbeat(db, own)
    await files.put(markOf(own.id), Buffer.from(own.id))
    const found = new Set<string>()
    for (;;) {
      const others = await enterOrListOthers(db, own, found)
      if (others.length === 0) return
      await Promise.all(
        others.map(async ({ id, host }) => {
          if (!(await files.get(markOf(id)))) throw new StartRefused(sentenceFor(host))
          found.add(id)
        }),
      )
    }
  } catch (error) {
    if (!(error instanceof StoreFailed) && !isOutage(error)) {
      await leaveStore({ db, files }, own.id)
      throw error
    }
    const { code } = error as { code?: string }
    log.warn({ code }, 'could not check whether all instances share one file storage')
  }
}

/** One after the other, so that of two concurrent starts the second finds the first. */
const enterOrListOthers = (db: Database, own: typeof instance, found: ReadonlySet<string>) =>
  transaction(db, async (db) => {
    await lockInstances(db)
    const others = (await listAlive(db)).filter(
      ({ id, marks_store }) => marks_store && id !== own.id && !found.has(id),
    )
    if (others.length === 0) await recordHeartbeat(db, own, { marksStore: true })
    return others
  })

/** Whether a running instance stores its files elsewhere. */
export async function isApart({ db, files }: Pick<Services, 'db' | 'files'>): Promise<boolean> {
  const marked = (await listAlive(db)).filter(({ marks_store }) => marks_store)
  const found = await Promise.all(marked.map(({ id }) => files.get(markOf(id))))
  return found.some((mark) => mark === undefined)
}

const sentenceFor = (host: string) =>
  `Another instance, on ${host}, uses a different file storage, so photos uploaded to one would be missing on the other. Give all instances the same STORAGE_URL, or a DATA_DIR on a shared disk. An instance that was killed still counts for 3 minutes.`

/**
 * Removes an ending instance, and then its mark. While the database is unreachable the instance stays
 * registered, so its mark stays too: without it, the next start would conclude that the instance uses another
 * store.
 */
export async function leaveStore({ db, files }: Pick<Services, 'db' | 'files'>, id: string): Promise<void> {
  try {
    await recordGone(db, id)
  } catch {
    return
  }
  await files.remove(markOf(id)).catch(() => {})
}

/**
 * Marks of instances killed long ago. An instance is registered before it leaves its mark, so the marks are
 * listed first.
 */
export async function removeOldMarks({ db, files }: Pick<Services, 'db' | 'files'>): Promise<void> {
  const marks = await files.list(folder)
  const known = new Set((await listInstanceIds(db)).map(markOf))
  for (const mark of marks) if (!known.has(mark)) await files.remove(mark)
}
