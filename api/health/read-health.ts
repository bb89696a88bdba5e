import type { api } from '#contract/api.ts'
import { healthChecks, type HealthCheckName } from '#contract/console-health.ts'
import { SECOND } from '#contract/durations.ts'
import type { Handler } from '../http/handler.ts'
import { instance } from '../jobs/instance.ts'
import { listAlive } from '../jobs/job.queries.ts'
import type { Services } from '../services.ts'
import { checked } from './check.ts'
import { checks } from './checks.ts'
import { readJobs } from './read-jobs.ts'

const answerTimeMax = 8 * SECOND

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

/** What does not answer is itself what is wrong; it does not hide the others. */
async function look(name: HealthCheckName, services: Services) {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('late')), answerTimeMax)
  })
  try {
    return await Promise.race([checks[name](services), late])
  } catch (error) {
    services.log.warn(
      { step: name, name: error instanceof Error ? error.name : 'unknown' },
      'a check of the health got no answer',
    )
    return checked(name, { facts: {}, problems: { unanswered: true } })
  } finally {
    clearTimeout(timer)
  }
}
