import { noteOutage } from '../note-outage.ts'
import type { JobName } from '#contract/job-names.ts'
import { isOutage } from '../db/database.ts'
import type { Worker } from '../noun.ts'
import type { Services } from '../services.ts'
import { noteRun } from './note-run.ts'

type Repeated = {
  job: JobName
  /** How many milliseconds pass between the end of a round and the next. */
  every: number
  work: (isStopped: () => boolean) => Promise<unknown>
  /** What the log says of a failure that is no outage of the database. */
  failed: string
}

/** Works at the start and again and again: one round at a time, whether or not the last one went well. */
export function startEvery(
  { db, log }: Pick<Services, 'db' | 'log'>,
  { job, every, work, failed }: Repeated,
): Worker {
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  let round: Promise<void>
  const tell = (error: unknown) => {
    if (isOutage(error)) noteOutage(log, 'database', error as { code?: string })
    else log.error({ name: error instanceof Error ? error.name : 'unknown' }, failed)
  }
  const run = async () => {
    await noteRun(db, job, () => work(() => isStopped)).catch(tell)
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
