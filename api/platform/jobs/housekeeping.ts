import { logOutage } from '../log-outage.ts'
import { HOUR, MINUTE } from '#contract/platform/durations.ts'
import { isOutage } from '../db/database.ts'
import type { Module, StartWorker } from '../module.ts'
import type { Services } from '../services.ts'
import { recordRun } from './record-run.ts'

const every = HOUR

/** Deletes and ends what has expired, hourly and a minute after the start, but not during maintenance. */
export const housekeeping =
  (modules: readonly Module[]): StartWorker =>
  (services) => {
    const run = () => void cleanUp(services, modules)
    const first = setTimeout(run, MINUTE)
    const timer = setInterval(run, every)
    return {
      stop() {
        clearTimeout(first)
        clearInterval(timer)
      },
    }
  }

/**
 * One round: the cleanups of every module, one after the other. A failed one does not stop the others; it is
 * logged by name and retried in the next round. Returns the names of those that failed.
 */
export async function cleanUp(services: Services, modules: readonly Module[]): Promise<string[]> {
  const failed: string[] = []
  for (const { cleanUp = {} } of modules)
    for (const [step, run] of Object.entries(cleanUp)) {
      if (services.lifecycle.isStopping || (await isPaused(services))) return failed
      const begun = performance.now()
      try {
        await recordRun(services.db, step, () => run(services))
      } catch (error) {
        failed.push(step)
        logFailure(services, step, Math.round(performance.now() - begun), error)
      }
    }
  return failed
}

/** If this is unknown because of an outage, the cleanup itself fails, and logs it. */
const isPaused = ({ maintenance }: Services): Promise<boolean> =>
  maintenance
    .check()
    .then((found) => found !== undefined)
    .catch(() => false)

function logFailure({ log }: Services, step: string, ms: number, error: unknown): void {
  if (isOutage(error)) logOutage(log, 'database', error as { code?: string })
  else
    log.error(
      { step, ms, name: error instanceof Error ? error.name : 'unknown' },
      'a step of the clean-up failed',
    )
}
