import { Refused } from './refused.ts'

/**
 * Does work for several lanes, at most `atOnce` at a time. Lanes that wait take turns, so that a flood in one delays each
 * of the others by one turn; a lane with `waitingMax` waiting refuses more with `unavailable`.
 */
export function makeLanes<Lane extends string>(
  lanes: readonly Lane[],
  { atOnce, waitingMax }: { atOnce: number; waitingMax: number },
): <T>(lane: Lane, work: () => Promise<T>) => Promise<T> {
  const waiting = new Map<Lane, (() => void)[]>(lanes.map((lane) => [lane, []]))
  let running = 0

  /** The lane whose turn it was goes to the end of the map. */
  function takeNext(): (() => void) | undefined {
    for (const [lane, queue] of waiting) {
      const next = queue.shift()
      if (!next) continue
      waiting.delete(lane)
      waiting.set(lane, queue)
      return next
    }
    return undefined
  }

  return async (lane, work) => {
    if (running >= atOnce) {
      const queue = waiting.get(lane)!
      if (queue.length >= waitingMax) throw new Refused('unavailable')
      await new Promise<void>((resume) => queue.push(resume))
    } else running += 1
    try {
      return await work()
    } finally {
      // The slot goes to the next in the queue, so `running` changes only when nobody waits.
      const next = takeNext()
      if (next) next()
      else running -= 1
    }
  }
}
