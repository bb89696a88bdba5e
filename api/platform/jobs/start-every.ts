import type { JobName } from '#contract/platform/job-names.ts'
import type { Worker } from '../module.ts'
import type { Services } from '../services.ts'
import { logFailure } from './log-failure.ts'
import { recordRun } from './record-run.ts'

type Repeated = {
  job: JobName
  /** Milliseconds between the end of a round and the next. */
  every: number
  work: (isStopped: () => boolean) => Promise<unknown>
  /** The log message for a failure other than a database outage. */
  failed: string
  /** By default, it pauses during maintenance. */
  worksInMaintenance?: boolean
}

/**
 * Works at startup and repeatedly: one round at a time, whether or not the last one succeeded. Pauses during maintenance;
 * a round that is running then is told to stop.
 */
export function startEvery(
  services: Pick<Services, 'db' | 'log' | 'maintenance'>,
  { job, every, work, failed, worksInMaintenance = false }: Repeated,
): Worker {
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  let round: Promise<void>
  const { db, maintenance } = services
  const runRound = async () => {
    if (!worksInMaintenance && (await maintenance.check())) return
    const isPaused = () => !worksInMaintenance && maintenance.current() !== undefined
    await recordRun(db, job, () => work(() => isStopped || isPaused()))
  }
  const run = async () => {
    await runRound().catch((error: unknown) => logFailure(services, error, failed))
    if (!isStopped) timer = setTimeout(begin, every)
  }
  const begin = () => void (round = run())
  begin()
  return {
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await round
    },
  }
}
