import type { FastifyInstance } from 'fastify'
import { MINUTE } from '#contract/platform/durations.ts'
import type { Database } from '../db/database.ts'
import { jobRuns } from '../jobs/record-run.ts'

/**
 * One line per request, with the route's pattern instead of the URL, which may contain an email address or a
 * code, and the code of the refusal.
 */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    const line = {
      request: request.id,
      method: request.method,
      route: request.routeOptions.url ?? 'unknown',
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
      ...(reply.refusal && { reason: reply.refusal }),
    }
    // An outage is logged once; the metrics count what it refuses.
    if (reply.statusCode >= 500 && reply.refusal !== 'unavailable') request.log.warn(line, 'answered')
    else request.log.debug(line, 'answered')
  })
}

/**
 * Frequent jobs are logged once a minute, or if they took long; a failure is logged when it begins and ends.
 */
const pause = MINUTE
const longRun = 1000

/** The duration of each job, and why it failed. */
export function logJobs(app: FastifyInstance, db: Database): void {
  const logged = new Map<string, { at: number; failure: string | null }>()
  const end = jobRuns.subscribe((run) => {
    if (run.db !== db) return
    const { job, failure } = run
    const [last, now] = [logged.get(job), performance.now()]
    const isSame = last?.failure === failure
    const isNews = !isSame || (failure === null && (now - last.at >= pause || run.ms >= longRun))
    if (!isNews) return
    logged.set(job, { at: now, failure })
    const line = { job, ms: Math.round(run.ms), ...(failure !== null && { reason: failure }) }
    if (failure === null) app.log.info(line, 'a job is done')
    else app.log.warn(line, 'a job failed')
  })
  app.addHook('onClose', async () => end())
}
