import type { JobName } from '#contract/job-names.ts'
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

/** So long after a round nobody wakes another: what changes comes in bursts, and a round looks at all of it. */
const rest = SECOND / 4

/** Works at the start, soon after it was woken and when the time comes: one round at a time, and another for who wakes it meanwhile. */
export function startByClock(db: Database, { job, topic, work, onFailure }: Clocked): Required<Worker> {
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

  const runRound = async () => {
    isWoken = false
    const wait = await noteRun(db, job, () => work(() => isStopped)).catch((error: unknown) => {
      onFailure(error)
      return waitMin
    })
    round = undefined
    restedAt = performance.now() + rest
    sleep(isWoken ? rest : wait)
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
