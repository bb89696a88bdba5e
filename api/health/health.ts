import { MINUTE } from '#contract/platform/durations.ts'
import { instance } from '../platform/jobs/instance.ts'
import { deleteOldRuns, recordHeartbeat } from '../platform/jobs/job.queries.ts'
import { leaveStore, removeOldMarks } from '../platform/jobs/share-store.ts'
import { collectHandlers, type Module, type Worker } from '../platform/module.ts'
import type { Services } from '../platform/services.ts'
import { hashSettings } from './hash-settings.ts'
import { notifyAboutMissingBackups } from './notify-about-missing-backups.ts'
import * as readHealth from './read-health.ts'

/** Records that this instance is alive, with its settings, and on shutdown that it is gone. */
export function startHeartbeat({
  db,
  files,
  config,
  keys,
}: Pick<Services, 'db' | 'files' | 'config' | 'keys'>): Worker {
  const settings = hashSettings(config, keys)
  const beat = () => recordHeartbeat(db, instance, { settings }).catch(() => {})
  let last = beat()
  const timer = setInterval(() => {
    last = beat()
  }, MINUTE)
  return {
    async stop() {
      clearInterval(timer)
      await last
      await leaveStore({ db, files }, instance.id)
    },
  }
}

/** Health of the program and its dependencies, for administrators. */
export const health = {
  calls: collectHandlers(readHealth),
  cleanUp: {
    oldRuns: ({ db }) => deleteOldRuns(db),
    oldInstances: removeOldMarks,
    missingBackups: notifyAboutMissingBackups,
  },
  workers: [startHeartbeat],
} satisfies Module
