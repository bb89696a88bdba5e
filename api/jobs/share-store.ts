import { transaction } from '../db/database.ts'
import { StoreFailed } from '../files/store-failed.ts'
import type { Services } from '../services.ts'
import { StartRefused } from '../start-refused.ts'
import { instance } from './instance.ts'
import { listAlive, listInstanceIds, lockInstances, noteAlive } from './job.queries.ts'

/** In the store of an instance: a file with its id, as long as it lives. */
const folder = 'instances'
const markOf = (id: string) => `${folder}/${id}`

type Needed = Pick<Services, 'db' | 'files' | 'log'>

/**
 * Refuses a start beside an instance whose store is another one: photos that one of them takes would be missing to the other.
 * Each instance leaves its id in its store; whoever starts finds the ids of all that live, or lies apart from them. One after the
 * other, so that of two that start at once the second finds the first.
 */
export async function requireCommonStore({ db, files, log }: Needed, own = instance): Promise<void> {
  try {
    await transaction(db, async (db) => {
      await lockInstances(db)
      await files.put(markOf(own.id), Buffer.from(own.id))
      const others = (await listAlive(db)).filter(({ id, marks_store }) => marks_store && id !== own.id)
      for (const { id, host } of others)
        if (!(await files.get(markOf(id)))) throw new StartRefused(sentenceFor(host))
      await noteAlive(db, own, { marksStore: true })
    })
  } catch (error) {
    if (!(error instanceof StoreFailed)) {
      await removeMark(files, own.id)
      throw error
    }
    log.warn({ code: error.code }, 'whether all instances have one store of files could not be looked at')
  }
}

/** Whether an instance that lives keeps its files elsewhere. */
export async function isApart({ db, files }: Pick<Services, 'db' | 'files'>): Promise<boolean> {
  const marked = (await listAlive(db)).filter(({ marks_store }) => marks_store)
  const found = await Promise.all(marked.map(({ id }) => files.get(markOf(id))))
  return found.some((mark) => mark === undefined)
}

const sentenceFor = (host: string) =>
  `Another instance of this program, on ${host}, keeps its files elsewhere, and photos that one takes would be missing to the other: give every instance the same STORAGE_URL, or a DATA_DIR on a disk that they share; an instance that was killed counts for three minutes.`

export const removeMark = (files: Needed['files'], id: string): Promise<void> =>
  files.remove(markOf(id)).catch(() => {})

/** Left by instances that were killed long ago. */
export const removeOldMarks = ({ db, files }: Pick<Services, 'db' | 'files'>): Promise<void> =>
  transaction(db, async (db) => {
    await lockInstances(db)
    const known = new Set((await listInstanceIds(db)).map(markOf))
    for (const key of await files.list(folder)) if (!known.has(key)) await files.remove(key)
  })
