import type { api } from '#contract/api.ts'
import { healthChecks } from '#contract/console/console-health.ts'
import { readinessParts } from '#contract/console/operations.ts'
import type { Handler } from '../platform/http/handler.ts'
import { instance } from '../platform/jobs/instance.ts'
import { presentMaintenance } from '../maintenance/present-maintenance.ts'
import { listAlive } from '../platform/jobs/job.queries.ts'
import { Refused } from '../platform/refused.ts'
import { pingDatabase } from './health.queries.ts'
import { look } from './look.ts'
import { readJobs } from './read-jobs.ts'

export const readHealth: Handler<typeof api.readHealth> = async (_, services) => {
  const [found, jobs, alive, maintenance] = await Promise.all([
    Promise.all(healthChecks.map((name) => look(name, services))),
    readJobs(services.db),
    listAlive(services.db),
    presentMaintenance(services.db),
  ])
  return {
    at: new Date().toISOString(),
    checks: found,
    jobs,
    maintenance,
    instances: alive.map(({ id, host, version, node, started_at, seen_at }) => ({
      id: id.slice(0, 8),
      host,
      version,
      node,
      startedAt: started_at.toISOString(),
      seenAt: seen_at.toISOString(),
      isThis: id === instance.id,
    })),
  }
}

/**
 * Whether this instance can receive requests: the database answers, and no shutdown is in progress. Everyone
 * learns only that; requests with the metrics token also learn which parts are degraded.
 */
export const checkReadiness: Handler<typeof api.checkReadiness> = async (_, context) => {
  if (context.lifecycle.isStopping) throw new Refused('unavailable')
  await pingDatabase(context.db)
  if (!context.request.isWatcher) return { status: 'ready' }
  const found = await Promise.all(readinessParts.map((name) => look(name, context)))
  return {
    status: 'ready',
    degraded: found
      .filter(({ state }) => state !== 'good')
      .map(({ name, problems }) => ({ part: name as never, problems })),
  }
}
