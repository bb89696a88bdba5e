import type { Tx } from '../db/database.ts'
import { ago } from '../db/expressions.ts'
import { DAY } from '#contract/platform/durations.ts'

type BackupRun = {
  beganAt: Date
  bytes: number | null
  place: 'directory' | 'bucket'
  /** Name or code of the error; null if the run succeeded. */
  failure: string | null
}

/** Only the latest runs show whether backups work, so old ones are deleted. */
export async function recordBackup(db: Tx, { beganAt, bytes, place, failure }: BackupRun): Promise<void> {
  await db.insertInto('backup_run').values({ began_at: beganAt, bytes, place, failure }).execute()
  await db
    .deleteFrom('backup_run')
    .where('done_at', '<', ago(366 * DAY))
    .execute()
}

type LastBackup = { doneAt: Date | undefined; bytes: number | undefined; hasFailedSince: boolean }

/** The last successful run, and whether another one failed since. */
export async function findLastBackup(db: Tx): Promise<LastBackup> {
  const runs = await db
    .selectFrom('backup_run')
    .select(['done_at', 'bytes', 'failure'])
    .orderBy('done_at', 'desc')
    .limit(100)
    .execute()
  const whole = runs.find(({ failure }) => failure === null)
  return {
    doneAt: whole?.done_at,
    bytes: whole?.bytes == null ? undefined : Number(whole.bytes),
    hasFailedSince: runs[0]?.failure != null,
  }
}
