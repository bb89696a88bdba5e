import { Worker } from 'node:worker_threads'

export type Thread<Question, Reply> = { ask(question: Question): Promise<Reply> }

/** Why there is no reply. `isBusy`: too many questions are waiting, and nothing was tried. */
export class ThreadFailed extends Error {
  readonly isBusy: boolean

  constructor(problem: string, isBusy = false) {
    super(problem)
    this.isBusy = isBusy
  }
}

export type Answer<Reply> = { reply: Reply } | { problem: string }

type Bounds = {
  workerData?: unknown
  /** Maximum time per question, in milliseconds. A longer one is aborted, and the next question starts a new thread. */
  answerMax: number
  /** Maximum number of waiting questions, because each is held in memory. */
  waitingMax: number
  memoryMaxMb: number
}

/**
 * Runs work that would block every request in a separate thread: one question at a time, started with the first one. It
 * does not keep the server from exiting.
 */
export function openThread<Question, Reply>(module: URL, bounds: Bounds): Thread<Question, Reply> {
  let worker: Worker | undefined
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0

  function start(): Worker {
    const started = new Worker(module, {
      workerData: bounds.workerData,
      resourceLimits: { maxOldGenerationSizeMb: bounds.memoryMaxMb },
      stdout: true,
      stderr: true,
    })
    // A thread that ends between two questions is replaced.
    const forget = () => {
      if (worker === started) worker = undefined
    }
    started.on('error', forget).on('exit', forget)
    return started
  }

  function askNow(question: Question): Promise<Reply> {
    const asked = (worker ??= start())
    asked.ref()
    return new Promise<Reply>((resolve, reject) => {
      const settle = (act: () => void) => {
        clearTimeout(timer)
        asked.off('message', hear).off('error', fail).off('exit', fail)
        asked.unref()
        act()
      }
      const hear = (answer: Answer<Reply>) =>
        settle(() => ('problem' in answer ? reject(new ThreadFailed(answer.problem)) : resolve(answer.reply)))
      const end = (problem: string) =>
        settle(() => {
          if (worker === asked) worker = undefined
          asked.terminate().catch(() => {})
          reject(new ThreadFailed(problem))
        })
      const fail = () => end('the thread has ended')
      const timer = setTimeout(() => end('it takes too long'), bounds.answerMax)
      asked.on('message', hear).on('error', fail).on('exit', fail)
      asked.postMessage(question, [])
    })
  }

  return {
    ask(question) {
      if (waiting >= bounds.waitingMax) return Promise.reject(new ThreadFailed('too much waits', true))
      waiting += 1
      const answered = last.then(() => askNow(question)).finally(() => (waiting -= 1))
      last = answered.catch(() => undefined)
      return answered
    },
  }
}
