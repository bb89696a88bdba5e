import { MINUTE } from '#contract/platform/durations.ts'
import type { JobName } from '#contract/platform/job-names.ts'
import type { Database } from '../db/database.ts'
import { instance } from './instance.ts'
import { makeSignal } from '../signal.ts'
import { saveRun } from './job.queries.ts'

/** A finished run, for the log and the metrics. */
type JobRun = { db: Database; job: string; ms: number; failure: string | null }
export const jobRuns = makeSignal<JobRun>()

type Written = { at: number; failure: string | null }

/** Runs already recorded, so that a worker that runs every few seconds does not write each time. */
const written = new WeakMap<Database, Map<string, Written>>()
const pause = MINUTE

/** Runs the work and records for operators when it ran, for how long, and whether it succeeded. */
export async function recordRun<T>(
  db: Database,
  job: JobName | (string & {}),
  work: () => Promise<T>,
): Promise<T> {
  const beganAt = new Date()
  const begun = performance.now()
  const note = (failure: string | null) => {
    const ms = performance.now() - begun
    jobRuns.publish({ db, job, ms, failure })
    return write(db, job, { beganAt, ms, failure })
  }
  try {
    const done = await work()
    await note(null)
    return done
  } catch (error) {
    await note(nameOf(error))
    throw error
  }
}

/** A failure to record a run must not make it fail. */
async function write(
  db: Database,
  job: string,
  { beganAt, ms, failure }: { beganAt: Date; ms: number; failure: string | null },
): Promise<void> {
  const known = written.get(db) ?? new Map<string, Written>()
  written.set(db, known)
  const last = known.get(job)
  const now = performance.now()
  if (last && last.failure === failure && now - last.at < pause) return
  known.set(job, { at: now, failure })
  await saveRun(db, { job, instanceId: instance.id, beganAt, ms: Math.round(ms), failure }).catch(() =>
    known.delete(job),
  )
}

/** A code or class name, because the message may contain personal data. */
function nameOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown }
  const text = typeof code === 'string' ? code : typeof name === 'string' ? name : 'unknown'
  return /^[\w .-]{1,60}$/.test(text) ? text : 'unknown'
}
