import { Busy } from './render-queue.ts'
import type { Entry } from './response-cache.ts'

/**
 * Returns the value of a cache entry that is made in a render queue. If another client requested it first and was removed
 * from the queue, that must not make this client's request fail, so the entry is requested once more. `enter` gets the
 * milliseconds that this client has already waited.
 */
export async function getOrRetry<Value>(
  client: string,
  enter: (waited: number) => Entry<Value>,
): Promise<Value> {
  const startedAt = performance.now()
  const entry = enter(0)
  try {
    return await entry.value
  } catch (failure) {
    if (!(failure instanceof Busy) || entry.client === client) throw failure
    return await enter(performance.now() - startedAt).value
  }
}
