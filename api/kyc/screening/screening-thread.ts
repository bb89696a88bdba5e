import { Worker } from 'node:worker_threads'
import { SECOND } from '#contract/durations.ts'
import type { NamedList } from './list-file.ts'
import type { NameIndex } from './name-index.ts'
import type { Person } from './screen.ts'

/** Without a person only the lists are asked for. */
export type Asked = { n: number; person: Person | null }
export type Answered = { listHash: string; lists: NamedList[]; found: ReturnType<NameIndex['search']> | null }
type Message = { n: number } & (Answered | { problem: string })

/** Reading and preparing a large list takes some of it; what takes longer hangs. */
const answerMax = 20 * SECOND
const waitingMax = 100

export type ScreeningThread = { ask(person: Person | null): Promise<Answered> }

const threads = new Map<string, ScreeningThread>()

/** The thread that compares with a file, started with its first question. It does not keep the program from exiting. */
export function threadOf(file: string): ScreeningThread {
  const known = threads.get(file) ?? makeThread(file)
  threads.set(file, known)
  return known
}

function makeThread(file: string): ScreeningThread {
  let worker: Worker | undefined
  let last = 0
  const waiting = new Map<number, { resolve: (answered: Answered) => void; reject: (why: Error) => void }>()

  function end(why: string) {
    const ended = worker
    worker = undefined
    void ended?.terminate()
    for (const { reject } of waiting.values()) reject(new Error(why))
    waiting.clear()
  }

  function start(): Worker {
    const started = new Worker(new URL('./screening-worker.ts', import.meta.url), {
      workerData: { file },
      resourceLimits: { maxOldGenerationSizeMb: 512 },
      stdout: true,
      stderr: true,
    })
    started.unref()
    started.on('message', (message: Message) => {
      const asked = waiting.get(message.n)
      waiting.delete(message.n)
      if ('problem' in message) asked?.reject(new Error(message.problem))
      else asked?.resolve(message)
    })
    const lose = () => worker === started && end('its thread has ended')
    started.on('error', lose).on('exit', lose)
    return started
  }

  return {
    async ask(person) {
      if (waiting.size >= waitingMax) throw new Error('too many names wait to be compared')
      worker ??= start()
      const n = (last += 1)
      const answered = new Promise<Answered>((resolve, reject) => waiting.set(n, { resolve, reject }))
      const timer = setTimeout(() => end('it takes too long'), answerMax)
      worker.ref()
      worker.postMessage({ n, person } satisfies Asked, [])
      try {
        return await answered
      } finally {
        clearTimeout(timer)
        if (waiting.size === 0) worker?.unref()
      }
    },
  }
}
