import { parentPort } from 'node:worker_threads'
import type { Answer } from './open-thread.ts'

/** The worker's side of `openThread`. */
export function answerQuestions(answer: (question: never) => unknown): void {
  const say = (said: Answer<unknown>) => parentPort!.postMessage(said, [])
  const fail = (error: unknown) => say({ problem: error instanceof Error ? error.message : 'unknown' })
  parentPort!.on('message', (question: unknown) => {
    Promise.resolve(question as never)
      .then(answer)
      .then((reply) => say({ reply }), fail)
  })
}
