import { SECOND } from '#contract/durations.ts'
import { openThread, type Thread } from '../../threads/open-thread.ts'
import type { NamedList } from './list-file.ts'
import type { NameIndex } from './name-index.ts'
import type { Person } from './screen.ts'

export type Answered = { listHash: string; lists: NamedList[]; found: ReturnType<NameIndex['search']> | null }

const threads = new Map<string, Thread<Person | null, Answered>>()

/** The thread that compares with a file and keeps it ready. Without a person only the lists are asked for. */
export function threadOf(file: string): Thread<Person | null, Answered> {
  const known = threads.get(file)
  if (known) return known
  const opened = openThread<Person | null, Answered>(new URL('./screening-worker.ts', import.meta.url), {
    workerData: { file },
    // Reading and preparing a large list takes some of it.
    answerMax: 20 * SECOND,
    waitingMax: 100,
    memoryMaxMb: 512,
  })
  threads.set(file, opened)
  return opened
}
