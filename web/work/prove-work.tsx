import { solutionOf, type Work } from '#contract/proof-of-work.ts'
import { createStore } from '../state/create-store.ts'
import { currentWork } from './current-work.ts'
import { startSolver } from './start-solver.ts'
import { WorkProgress } from './work-progress.tsx'

/** Solves a challenge and shows the progress. Rejects if that fails or if the form is closed. */
export function proveWork({ challenge, parts, below }: Work): Promise<string> {
  const found = createStore<readonly number[]>([])
  const worker = startSolver()
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  worker.onmessage = ({ data }: MessageEvent<number>) => {
    found.set([...found.get(), data])
    if (found.get().length === parts) resolve(solutionOf(challenge, found.get()))
  }
  worker.onerror = () => reject(new Error('the solver failed'))
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has none
  worker.postMessage({ challenge, parts, below } satisfies Work)
  const shown = (
    <WorkProgress found={found} parts={parts} onLeft={() => reject(new Error('the form was left'))} />
  )
  currentWork.set(shown)
  return promise.finally(() => {
    worker.terminate()
    // Another form may have started since.
    if (currentWork.get() === shown) currentWork.set(null)
  })
}
