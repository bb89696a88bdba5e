import { type HealthJob } from '#contract/console/console-health.ts'
import { jobNames } from '#contract/platform/job-names.ts'
import { HOUR, MINUTE } from '#contract/platform/durations.ts'
import type { Tx } from '../platform/db/database.ts'
import { listLastRuns } from '../platform/jobs/job.queries.ts'

/** Workers record each minute that they run; a step of the cleanup runs hourly. */
const workers: readonly string[] = [
  'publishing',
  'payDeadlines',
  'screening',
  'mailDelivery',
  'chains',
  'newsByMail',
  'readCounts',
  'backups',
]
const silenceOf = (job: string): number => (workers.includes(job) ? 10 * MINUTE : 3 * HOUR)

/** The last run of each job, in the order of the contract. */
export async function readJobs(db: Tx): Promise<HealthJob[]> {
  const runs = await listLastRuns(db)
  const places = new Map<string, number>(jobNames.map((name, place) => [name, place]))
  return runs
    .map(({ job, instance_id, began_at, ms, failure, done_at }): HealthJob => {
      const isLate = Date.now() - began_at.getTime() > silenceOf(job)
      return {
        name: job,
        state: failure !== null ? 'failed' : isLate ? 'late' : 'good',
        beganAt: began_at.toISOString(),
        ms,
        failure,
        doneAt: done_at?.toISOString() ?? null,
        instance: instance_id.slice(0, 8),
      }
    })
    .toSorted((a, b) => (places.get(a.name) ?? Infinity) - (places.get(b.name) ?? Infinity))
}
