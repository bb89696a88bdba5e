import { sql } from 'kysely'
import { DAY } from '#contract/platform/durations.ts'
import type { Tx } from '../db/database.ts'
import { ago } from '../db/expressions.ts'
import type { Run } from './backup-schedule.ts'

/** The database's lock of backups: one at a time on any machine. */
export const backupLock = 3853314791062309109n

export type BackupPlace = 'directory' | 'bucket'
/** The outcome of a run: its size or, if it failed, the name or code of the error. */
type Outcome = { bytes: number | null; failure: string | null }

/** The failure of a run that hasn't ended. It stays if the process is killed. */
const interrupted: Outcome = { bytes: null, failure: 'interrupted' }

/**
 * Records that a run begins, by the clock of the database, and returns its ID. Only the latest runs show whether backups
 * work, so old ones are deleted.
 */
export async function recordBackupStart(db: Tx, place: BackupPlace): Promise<string> {
  const { id } = await db
    .insertInto('backup_run')
    .values({ began_at: sql<Date>`now()`, place, ...interrupted })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .deleteFrom('backup_run')
    .where('done_at', '<', ago(366 * DAY))
    .execute()
  return id
}

export async function recordBackupEnd(db: Tx, id: string, outcome: Outcome): Promise<void> {
  await db
    .updateTable('backup_run')
    .set({ ...outcome, done_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute()
}

/** Records a run that failed before it began. */
export async function recordBackupFailure(db: Tx, place: BackupPlace, failure: string): Promise<void> {
  await recordBackupEnd(db, await recordBackupStart(db, place), { bytes: null, failure })
}

const runsMax = 100

/** The latest runs, newest first, and the time of the database. */
export async function listBackupRuns(db: Tx): Promise<{ runs: Run[]; now: Date }> {
  const rows = await db
    .selectFrom('backup_run')
    .select(['began_at', 'done_at', 'failure'])
    .orderBy('id', 'desc')
    .limit(runsMax)
    .execute()
  const { now } = await db.selectNoFrom(sql<Date>`now()`.as('now')).executeTakeFirstOrThrow()
  return {
    runs: rows.map(({ began_at, done_at, failure }) => ({ beganAt: began_at, doneAt: done_at, failure })),
    now,
  }
}

/** The ID of the newest run. */
export async function findNewestRun(db: Tx): Promise<string | undefined> {
  const row = await db.selectFrom('backup_run').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
  return row?.id
}

/** Whether a process holds the lock, without taking it. */
export async function isBackupRunning(db: Tx): Promise<boolean> {
  const half = 2n ** 32n
  const row = await db
    .selectNoFrom(
      sql<boolean>`exists (select from pg_locks where locktype = 'advisory' and objsubid = 1
        and database = (select oid from pg_database where datname = current_database())
        and classid = ${String(backupLock / half)}::oid and objid = ${String(backupLock % half)}::oid)`.as(
        'is_running',
      ),
    )
    .executeTakeFirstOrThrow()
  return row.is_running
}

type LastBackup = {
  doneAt: Date | undefined
  bytes: number | undefined
  hasFailedSince: boolean
  firstBeganAt: Date | undefined
}

/** The last successful run, whether another one failed since, and when the first run began. */
export async function findLastBackup(db: Tx): Promise<LastBackup> {
  const runs = () => db.selectFrom('backup_run').limit(1)
  const whole = await runs()
    .select(['id', 'done_at', 'bytes'])
    .where('failure', 'is', null)
    .orderBy('id', 'desc')
    .executeTakeFirst()
  const newest = await runs().select(['id', 'failure']).orderBy('id', 'desc').executeTakeFirst()
  const first = await runs().select('began_at').orderBy('id').executeTakeFirst()
  const isUnderWay = newest?.failure === interrupted.failure && (await isBackupRunning(db))
  return {
    doneAt: whole?.done_at,
    bytes: whole?.bytes == null ? undefined : Number(whole.bytes),
    hasFailedSince: newest?.failure != null && !isUnderWay,
    firstBeganAt: first?.began_at,
  }
}
