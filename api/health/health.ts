import { deleteOldRuns } from '../jobs/job.queries.ts'
import { removeOldMarks } from '../jobs/share-store.ts'
import { collectHandlers, type Module } from '../module.ts'
import { startHeartbeat } from './heartbeat.ts'
import * as readHealth from './read-health.ts'

/** Health of the program and its dependencies, for administrators. */
export const health = {
  calls: collectHandlers(readHealth),
  cleanUp: { oldRuns: ({ db }) => deleteOldRuns(db), oldInstances: removeOldMarks },
  workers: [startHeartbeat],
} satisfies Module
