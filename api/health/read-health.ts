import type { api } from '#contract/api.ts'
import { healthChecks } from '#contract/console-health.ts'
import type { Handler } from '../http/handler.ts'
import { instance } from '../jobs/instance.ts'
import { listAlive } from '../jobs/job.queries.ts'
import { look } from './look.ts'
import { readJobs } from './read-jobs.ts'

export const readHealth: Handler<typeof api.readHealth> = async (_, services) => {
  const [found, jobs, alive] = await Promise.all([
    Promise.all(healthChecks.map((name) => look(name, services))),
    readJobs(services.db),
    listAlive(services.db),
  ])
  return {
    at: new Date().toISOString(),
    checks: found,
    jobs,
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
