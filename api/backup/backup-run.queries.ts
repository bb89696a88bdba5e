import type { Tx } from '../db/database.ts'
import { ago } from '../db/time.ts'
import { DAY } from '#contract/durations.ts'

export type BackupRun = {
  beganAt: Date
  bytes: number | null
  place: 'directory' | 'bucket'
  /** The name or code of the error; null where it went well. */
  failure: string | null
}

/** Whether the backups come is seen by the last ones; those of a year ago are nobody's concern. */
export async function noteBackup(db: Tx, { beganAt, bytes, place, failure }: BackupRun): Promise<void> {
  await db.insertInto('backup_run').values({ began_at: beganAt, bytes, place, failure }).execute()
  await db
    .deleteFrom('backup_run')
    .where('done_at', '<', ago(366 * DAY))
    .execute()
}

type LastBackup = { doneAt: Date | undefined; bytes: number | undefined; hasFailedSince: boolean }

/** The last one that went well, and whether another was tried in vain since. */
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
