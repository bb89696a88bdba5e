import { createStore, type Store } from './create-store.ts'

/** Number of visible requests in flight. */
export const awaited: Store<number> = createStore(0)

/** Counts a request until it completes or fails. */
export async function counted<Answer>(answer: Promise<Answer>): Promise<Answer> {
  awaited.set(awaited.get() + 1)
  try {
    return await answer
  } finally {
    awaited.set(awaited.get() - 1)
  }
}
