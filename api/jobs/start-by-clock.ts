import type { JobName } from '#contract/console-health.ts'
import { SECOND } from '#contract/durations.ts'
import type { Topic } from '../db/changes.ts'
import type { Database } from '../db/database.ts'
import type { Worker } from '../noun.ts'
import { noteRun } from './note-run.ts'

/** Another instance may schedule something, and its notice may be lost. */
const waitMax = 5 * SECOND
/** What is due and locked is being handled elsewhere; what failed is tried again. */
const waitMin = SECOND

/** How many milliseconds to sleep, where the next is due in so many; `undefined` where none is. */
export const sleepBefore = (dueIn: number | undefined): number =>
  dueIn === undefined ? waitMax : Math.min(waitMax, dueIn > 0 ? Math.ceil(dueIn) : waitMin)

type Clocked = {
  job: JobName
  topic: Topic
  /** Does what is due and answers how long to sleep (`sleepBefore`). */
  work: (isStopped: () => boolean) => Promise<number>
  onFailure: (error: unknown) => void
}

/** Works at the start, whenever it is woken and when the time comes: one round at a time, and another for who wakes it meanwhile. */
export function startByClock(db: Database, { job, topic, work, onFailure }: Clocked): Required<Worker> {
  let timer: NodeJS.Timeout | undefined
  let round: Promise<void> | undefined
  let isWoken = false
  let isStopped = false

  const wake = () => {
    isWoken = true
    if (round || isStopped) return
    clearTimeout(timer)
    round = runRounds().finally(() => (round = undefined))
  }

  const runRounds = async () => {
    let wait = waitMax
    while (isWoken && !isStopped) {
      isWoken = false
      wait = await noteRun(db, job, () => work(() => isStopped)).catch((error: unknown) => {
        onFailure(error)
        return waitMin
      })
    }
    if (!isStopped) timer = setTimeout(wake, wait)
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
