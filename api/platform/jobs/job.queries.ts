import { sql } from 'kysely'
import { DAY, MINUTE, SECOND } from '#contract/platform/durations.ts'
import type { Tx } from '../db/database.ts'
import { ago } from '../db/expressions.ts'
import type { instance } from './instance.ts'

/** Silence after which an instance counts as gone, longer than two heartbeats, in milliseconds. */
const silenceMax = 3 * MINUTE
/**
 * Longer than one heartbeat, in milliseconds. After a longer gap an instance is no longer steady: the database may have
 * been away for everyone.
 */
const gapMax = 90 * SECOND

type Run = { job: string; instanceId: string; beganAt: Date; ms: number; failure: string | null }

export async function saveRun(db: Tx, run: Run): Promise<void> {
  const isDone = run.failure === null
  const last = { began_at: run.beganAt, ms: run.ms, failure: run.failure }
  await db
    .insertInto('job_run')
    .values({
      job: run.job,
      instance_id: run.instanceId,
      ...last,
      done_at: isDone ? sql<Date>`now()` : null,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['job', 'instance_id'])
        .doUpdateSet({ ...last, ...(isDone && { done_at: sql<Date>`now()` }) }),
    )
    .execute()
}

/** The last run of each job on any instance, and its last success. */
export const listLastRuns = (db: Tx) =>
  db
    .selectFrom('job_run')
    .distinctOn('job')
    .select(['job', 'instance_id', 'began_at', 'ms', 'failure'])
    .select(sql<Date | null>`max(done_at) over (partition by job)`.as('done_at'))
    .orderBy('job')
    .orderBy('began_at', 'desc')
    .execute()

/** When a job last succeeded and last began, on any instance. */
export async function findJobTimes(
  db: Tx,
  job: string,
): Promise<{ doneAt: Date | undefined; beganAt: Date | undefined }> {
  const row = await db
    .selectFrom('job_run')
    .select(({ fn }) => [fn.max('done_at').as('done_at'), fn.max('began_at').as('began_at')])
    .where('job', '=', job)
    .executeTakeFirst()
  return { doneAt: row?.done_at ?? undefined, beganAt: row?.began_at ?? undefined }
}

type Noted = {
  /** Set once it has written its ID to its store. */
  marksStore?: boolean
  /** Hashes of settings by name. */
  settings?: Readonly<Record<string, string>>
}

export async function recordHeartbeat(
  db: Tx,
  { id, host, machine, pid, version, node, startedAt }: typeof instance,
  { marksStore, settings }: Noted = {},
) {
  const noted = {
    ...(marksStore && { marks_store: true }),
    ...(settings && { settings: JSON.stringify(settings) }),
  }
  await db
    .insertInto('program_instance')
    .values({ id, host, machine, pid, version, node, started_at: startedAt, ...noted })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({
        seen_at: sql<Date>`now()`,
        steady_since: sql<Date>`case when program_instance.seen_at > ${ago(gapMax)} then program_instance.steady_since else now() end`,
        ...noted,
      }),
    )
    .execute()
}

/** Until the end of the transaction no other starting instance can register. */
export const lockInstances = (db: Tx) =>
  sql`select pg_advisory_xact_lock(hashtextextended('program_instance', 0))`.execute(db)

export async function recordGone(db: Tx, id: string): Promise<void> {
  await db.deleteFrom('program_instance').where('id', '=', id).execute()
}

export const listAlive = (db: Tx) =>
  db
    .selectFrom('program_instance')
    .selectAll()
    .where('seen_at', '>', ago(silenceMax))
    .orderBy('started_at')
    .limit(100)
    .execute()

/**
 * Instances that may be gone: silent ones, or those on this machine, where their process ID tells. Silence
 * counts only while `own` has been steady for as long, because after a database outage all have been silent.
 * `within`: ignores longer silence.
 */
export async function listSuspects(
  db: Tx,
  own: Pick<typeof instance, 'id' | 'machine'>,
  within: number,
): Promise<{ id: string; pid: number | null; isSilent: boolean; isHere: boolean }[]> {
  const { rows } = await sql<{ id: string; pid: number | null; isSilent: boolean; isHere: boolean }>`
    select * from (
      select other.id, other.pid,
        coalesce(other.machine = ${own.machine}, false) as "isHere",
        other.seen_at <= ${ago(silenceMax)} and exists (
          select from program_instance own
          where own.id = ${own.id} and own.seen_at > ${ago(silenceMax)} and own.steady_since <= ${ago(silenceMax)}
        ) as "isSilent"
      from program_instance other
      where other.id <> ${own.id} and other.seen_at > ${ago(within)}) suspect
    where "isSilent" or "isHere"`.execute(db)
  return rows
}

/** Includes instances that have been silent for up to a day. */
export const listInstanceIds = async (db: Tx): Promise<string[]> => {
  const rows = await db.selectFrom('program_instance').select('id').execute()
  return rows.map(({ id }) => id)
}

/** Runs of instances that are gone. */
export async function deleteOldRuns(db: Tx): Promise<void> {
  await db
    .deleteFrom('job_run')
    .where('began_at', '<', ago(7 * DAY))
    .execute()
  await db.deleteFrom('program_instance').where('seen_at', '<', ago(DAY)).execute()
}
