import { SECOND } from '#contract/platform/durations.ts'
import { openThread, type Thread } from '../../../platform/threads/open-thread.ts'
import type { NamedList } from './list-file.ts'
import type { NameIndex } from './name-index.ts'
import type { Person } from './screen.ts'

export type Answered = { listHash: string; lists: NamedList[]; found: ReturnType<NameIndex['search']> | null }

const threads = new Map<string, Thread<Person | null, Answered>>()

/**
 * Returns the thread that compares names with a file and keeps it loaded. Without a person, it returns only the lists.
 */
export function threadOf(file: string): Thread<Person | null, Answered> {
  const known = threads.get(file)
  if (known) return known
  const opened = openThread<Person | null, Answered>(new URL('./screening-worker.ts', import.meta.url), {
    workerData: { file },
    // Includes the time to read and index a large list.
    answerMax: 20 * SECOND,
    waitingMax: 100,
    memoryMaxMb: 512,
  })
  threads.set(file, opened)
  return opened
}
