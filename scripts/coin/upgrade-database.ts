import { listAlive } from '#api/platform/jobs/job.queries.ts'
import { listGone } from '#api/platform/jobs/list-gone.ts'
import { MINUTE } from '#contract/platform/durations.ts'
import { recordAudit } from '#api/platform/audit/audit.queries.ts'
import type { AuditActionOn } from '#contract/platform/audit-actions.ts'
import { DatabaseClient } from '#api/platform/db/database-client.ts'
import { openDatabase, type Database } from '#api/platform/db/database.ts'
import { listAppliedMigrations } from '#api/platform/db/dump-catalogue.ts'
import { StartRefused } from '#api/platform/start-refused.ts'
import { reaching } from '../reach-database.ts'

/** Longer than a running instance is ever silent. */
const silenceMax = 10 * MINUTE

/** Runs the work with the address of the database, whether the product is running or not. */
export async function onDatabase<T>(work: (url: string) => Promise<T>): Promise<T> {
  let done: { value: T } | undefined
  await reaching('read', async (url) => void (done = { value: await work(url) }))
  return done!.value
}

/** Runs the work with the database open. */
export const withDatabase = <T>(work: (db: Database) => Promise<T>): Promise<T> =>
  onDatabase(async (url) => {
    const db = openDatabase(url, () => undefined)
    try {
      return await work(db)
    } finally {
      await db.destroy()
    }
  })

/** Lists the migrations of the database. */
export const readApplied = (): Promise<string[]> =>
  onDatabase(async (url) => {
    const client = new DatabaseClient({ url })
    try {
      await client.connect()
      return await listAppliedMigrations(client)
    } finally {
      await client.end().catch(() => undefined)
    }
  })

/** Whatever another instance stored after the dump would be lost if the dump is restored. */
export const requireAlone = (): Promise<void> =>
  withDatabase(async (db) => {
    const gone = new Set(await listGone(db, { within: silenceMax }))
    const [other] = (await listAlive(db)).filter(({ id }) => !gone.has(id))
    if (other)
      throw new StartRefused(
        `An instance is still running on ${other.host} (process ${other.pid}). Stop it, or name its unit in COIN_SERVICE.`,
      )
  })

/** Records in the audit log what the command line did. */
export const recordRelease = (
  action: AuditActionOn<'release'>,
  detail: { from: string; to: string },
): Promise<void> =>
  withDatabase((db) =>
    recordAudit(db, { actorId: null, action, subjectKind: 'release', subjectId: null, detail }),
  )

/** Counts the entries of the audit log since that time, as a measure of what a restore loses. */
export const countEntriesSince = (time: string): Promise<number> =>
  withDatabase(async (db) => {
    const { count } = await db
      .selectFrom('audit_entry')
      .select((query) => query.fn.countAll<string>().as('count'))
      .where('at', '>', new Date(time))
      .executeTakeFirstOrThrow()
    return Number(count)
  })
