import { MINUTE } from '#contract/platform/durations.ts'
import { Refused } from './refused.ts'

type Waiting = { resume: () => void; refuse: (refused: Refused) => void }

/** Turns count for at least this long, and at most twice as long, in milliseconds. */
const turnMemory = 10 * MINUTE

/** Counts the recent turns of each client. */
function makeTurns(now: () => number) {
  let [before, current] = [new Map<string, number>(), new Map<string, number>()]
  let since = now()
  function deleteOldBackups(): void {
    if (now() - since < turnMemory) return
    before = now() - since < 2 * turnMemory ? current : new Map()
    current = new Map()
    since = now()
  }
  return {
    of: (client: string) => (before.get(client) ?? 0) + (current.get(client) ?? 0),
    add(client: string | undefined): void {
      deleteOldBackups()
      if (client !== undefined) current.set(client, (current.get(client) ?? 0) + 1)
    },
  }
}

/** Makes room for one more item in a full queue, or rejects it. */
function requireRoom(
  clients: Map<string, Waiting[]>,
  client: string | undefined,
  turnsOf: (client: string) => number,
): void {
  const weightOf = (each: string) => (clients.get(each)?.length ?? 0) + turnsOf(each)
  const [largest] = [...clients.keys()].toSorted((one, other) => weightOf(other) - weightOf(one))
  if (client === undefined || largest === undefined || weightOf(largest) <= weightOf(client) + 1)
    throw new Refused('unavailable')
  const queue = clients.get(largest)!
  queue.pop()!.refuse(new Refused('unavailable'))
  if (queue.length === 0) clients.delete(largest)
}

/**
 * Runs work from several queues, at most `atOnce` items at a time. Waiting queues take turns, so that a flood in one
 * delays each of the others by one turn. Within a queue, the client with the fewest recent turns is next, so that
 * clients that keep guessing don't delay new ones. A queue with `waitingMax` items rejects more with `unavailable`: it
 * drops the newest item of the client with the most items and turns, so that no client can fill the queue. A client can
 * have at most `waitingMaxOfClient` items; work without a client has no such limit.
 */
export function createFairQueues<Lane extends string>(
  lanes: readonly Lane[],
  {
    atOnce,
    waitingMax,
    waitingMaxOfClient = waitingMax,
    now = () => performance.now(),
  }: { atOnce: number; waitingMax: number; waitingMaxOfClient?: number; now?: () => number },
): <T>(lane: Lane, work: () => Promise<T>, client?: string) => Promise<T> {
  const waiting = new Map<Lane, Map<string, Waiting[]>>(lanes.map((lane) => [lane, new Map()]))
  const turns = makeTurns(now)
  let running = 0

  /** The selected queue and client move to the end of their maps. */
  function takeNext(): Waiting | undefined {
    for (const [lane, clients] of waiting) {
      const [first] = [...clients].toSorted(([one], [other]) => turns.of(one) - turns.of(other))
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

  async function waitForTurn(lane: Lane, client: string | undefined): Promise<void> {
    const clients = waiting.get(lane)!
    const key = client ?? ''
    const isFull = client !== undefined && (clients.get(key)?.length ?? 0) >= waitingMaxOfClient
    if (isFull) throw new Refused('unavailable')
    const all = [...clients.values()].reduce((count, each) => count + each.length, 0)
    if (all >= waitingMax) requireRoom(clients, client, turns.of)
    const queue = clients.get(key) ?? []
    clients.set(key, queue)
    await new Promise<void>((resume, refuse) => queue.push({ resume, refuse }))
  }

  return async (lane, work, client) => {
    if (running >= atOnce) await waitForTurn(lane, client)
    else running += 1
    turns.add(client)
    try {
      return await work()
    } finally {
      // The slot goes to the next item in the queue, so `running` changes only if no one is waiting.
      const next = takeNext()
      if (next) next.resume()
      else running -= 1
    }
  }
}
