import { deleteOldRuns } from '../jobs/job.queries.ts'
import { removeOldMarks } from '../jobs/share-store.ts'
import type { Noun } from '../noun.ts'
import { checkReadiness } from './check-readiness.ts'
import { startHeartbeat } from './heartbeat.ts'
import { readHealth } from './read-health.ts'

/** How the program and what it needs are doing, for administrators. */
export const health = {
  calls: { readHealth, checkReadiness },
  cleanUp: { oldRuns: ({ db }) => deleteOldRuns(db), oldInstances: removeOldMarks },
  workers: [startHeartbeat],
} satisfies Noun
