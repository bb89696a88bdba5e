import type { JobName } from '#contract/platform/job-names.ts'
import { SECOND } from '#contract/platform/durations.ts'
import type { Topic } from '../db/changes.ts'
import type { Worker } from '../module.ts'
import type { Services } from '../services.ts'
import { logFailure } from './log-failure.ts'
import { recordRun } from './record-run.ts'

/** Maximum sleep in milliseconds. Another instance may schedule something, and its notification may be lost. */
const waitMax = 5 * SECOND
/** Minimum sleep in milliseconds. Due but locked work is handled elsewhere; failed work is retried. */
const waitMin = SECOND

/** Milliseconds to sleep if the next item is due in `dueIn`; `undefined` if there is none. */
export const sleepBefore = (dueIn: number | undefined): number =>
  dueIn === undefined ? waitMax : Math.min(waitMax, dueIn > 0 ? Math.ceil(dueIn) : waitMin)

type Clocked = {
  job: JobName
  topic: Topic
  /** Does the due work and returns how long to sleep (`sleepBefore`). */
  work: (isStopped: () => boolean) => Promise<number>
  /** The log message for a failure other than a database outage. */
  failed: string
  /**
   * Milliseconds after a round in which wake-ups are merged, because changes come in bursts and a round handles
   * all of them.
   */
  rest?: number
  /** By default, it pauses during maintenance. */
  worksInMaintenance?: boolean
}

/**
 * Works at startup, soon after a wake-up, and when work is due: one round at a time, with another one for
 * wake-ups in between. Pauses during maintenance; a round that is running then is told to stop.
 */
export function startByClock(
  services: Pick<Services, 'db' | 'log' | 'maintenance'>,
  { job, topic, work, failed, rest = SECOND / 4, worksInMaintenance = false }: Clocked,
): Required<Worker> {
  let timer: NodeJS.Timeout | undefined
  let round: Promise<void> | undefined
  let restedAt = 0
  let isWoken = false
  let isStopped = false

  const sleep = (wait: number) => {
    clearTimeout(timer)
    if (!isStopped) timer = setTimeout(() => void (round = runRound()), wait)
  }

  const wake = () => {
    isWoken = true
    if (!round) sleep(Math.max(0, restedAt - performance.now()))
  }

  const { db, maintenance } = services
  const isPaused = () => !worksInMaintenance && maintenance.current() !== undefined
  const workUnlessPaused = async () => {
    if (!worksInMaintenance && (await maintenance.check())) return waitMax
    return recordRun(db, job, () => work(() => isStopped || isPaused()))
  }

  const runRound = async () => {
    isWoken = false
    const wait = await workUnlessPaused().catch((error: unknown) => logFailure(services, error, failed))
    round = undefined
    // What fails must not fail again at once, however often it is woken.
    const pause = wait === undefined ? waitMin : rest
    restedAt = performance.now() + pause
    sleep(isWoken ? pause : (wait ?? waitMin))
  }

  wake()
  return {
    topic,
    wake,
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await round
    },
  }
}
