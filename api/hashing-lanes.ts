import { Refused } from './refused.ts'

type Waiting = { resume: () => void; refuse: (refused: Refused) => void }

/**
 * Does work for several lanes, at most `atOnce` at a time. Lanes that wait take turns, so that a flood in one delays each
 * of the others by one turn; within a lane its clients do. A lane with `waitingMax` waiting refuses more with `unavailable`: the
 * last of the client with the most, so that nobody fills it for others. A client has `waitingMaxOfClient` at most; work without
 * a client is everybody's.
 */
export function makeLanes<Lane extends string>(
  lanes: readonly Lane[],
  {
    atOnce,
    waitingMax,
    waitingMaxOfClient = waitingMax,
  }: { atOnce: number; waitingMax: number; waitingMaxOfClient?: number },
): <T>(lane: Lane, work: () => Promise<T>, client?: string) => Promise<T> {
  const waiting = new Map<Lane, Map<string, Waiting[]>>(lanes.map((lane) => [lane, new Map()]))
  let running = 0

  /** Lane and client whose turn it was go to the end of their maps. */
  function takeNext(): Waiting | undefined {
    for (const [lane, clients] of waiting) {
      const [first] = clients
      if (!first) continue
      const [client, queue] = first
      const next = queue.shift()
      clients.delete(client)
      if (queue.length > 0) clients.set(client, queue)
      waiting.delete(lane)
      waiting.set(lane, clients)
      return next
    }
    return undefined
  }

  return async (lane, work, client) => {
    if (running >= atOnce) {
      const clients = waiting.get(lane)!
      const queue = clients.get(client ?? '') ?? []
      const all = [...clients.values()].reduce((count, each) => count + each.length, 0)
      const isFull = client !== undefined && queue.length >= waitingMaxOfClient
      if (isFull) throw new Refused('unavailable')
      if (all >= waitingMax) {
        const [largest] = [...clients.values()].toSorted((one, other) => other.length - one.length)
        if (client === undefined || !largest || largest.length <= queue.length + 1)
          throw new Refused('unavailable')
        largest.pop()!.refuse(new Refused('unavailable'))
      }
      clients.set(client ?? '', queue)
      await new Promise<void>((resume, refuse) => queue.push({ resume, refuse }))
    } else running += 1
    try {
      return await work()
    } finally {
      // The slot goes to the next in the queue, so `running` changes only when nobody waits.
      const next = takeNext()
      if (next) next.resume()
      else running -= 1
    }
  }
}
