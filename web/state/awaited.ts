import { createStore, type Store } from './create-store.ts'

/** How many answers of the API are on their way that somebody sees. */
export const awaited: Store<number> = createStore(0)

/** Counts an answer until it has come or failed. */
export async function counted<Answer>(answer: Promise<Answer>): Promise<Answer> {
  awaited.set(awaited.get() + 1)
  try {
    return await answer
  } finally {
    awaited.set(awaited.get() - 1)
  }
}
