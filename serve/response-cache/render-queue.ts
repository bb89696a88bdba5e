import { MINUTE, SECOND } from '#contract/platform/durations.ts'

/** Why a page is not rendered now, and when to retry. */
export class Busy extends Error {
  readonly retryAfterSeconds: number

  constructor(retryAfterSeconds: number) {
    super('busy')
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/**
 * Pages that depend on user input are unlimited in number, and each costs a search and a rendering that blocks the
 * event loop. So they are rendered one at a time, with a pause as long as the work took, and the number of waiting
 * pages and of pages per minute is limited per client. When the queue is full, the last request of the client with the
 * most requests is removed, so that no client can fill the queue for others.
 */
type RenderQueue = {
  /**
   * Rejects with `Busy` if the work does not start. `waited`: milliseconds that the reader has already waited.
   */
  enter<T>(client: string, work: () => Promise<T>, waited?: number): Promise<T>
}

type Limits = { waitingMax: number; waitingOfClientMax: number; ofClientMax: number; waitMax: number }
type Waiting = { client: string; begin: () => Promise<unknown>; refuse: () => void }

/** A rendering that hangs must not make all readers wait. */
const waitMax = 5 * SECOND
export const ofSearches: Limits = { waitingMax: 8, waitingOfClientMax: 2, ofClientMax: 60, waitMax }
/** Pages that need only one query each; people open several at once. */
export const ofUnseenPages: Limits = { waitingMax: 32, waitingOfClientMax: 6, ofClientMax: 120, waitMax }
const pauseMax = SECOND

export function makeRenderQueue(
  { waitingMax, waitingOfClientMax, ofClientMax, waitMax } = ofSearches,
  now: () => number = () => performance.now(),
): RenderQueue {
  const waiting: Waiting[] = []
  const held = makeHeld()
  const lastMinute = countByMinute(now)
  let isRendering = false
  /** By then, every request that is waiting now will have left the queue. */
  const untilFree = Math.ceil(waitMax / SECOND)

  function requireTurn(client: string): void {
    if (lastMinute.countOf(client) >= ofClientMax) throw new Busy(lastMinute.secondsLeft())
    if (held.by(client) >= waitingOfClientMax) throw new Busy(untilFree)
    if (held.byAll() < waitingMax) return
    const largest = lastOfLargest(waiting, held.by)
    if (!largest || held.by(largest.client) <= held.by(client) + 1) throw new Busy(untilFree)
    largest.refuse()
  }

  async function renderNext(): Promise<void> {
    const next = isRendering ? undefined : waiting.shift()
    if (!next) return
    isRendering = true
    const begun = performance.eventLoopUtilization()
    await next.begin()
    held.add(next.client, -1)
    await pauseSince(begun)
    isRendering = false
    void renderNext()
  }

  return {
    async enter(client, work, waited = 0) {
      requireTurn(client)
      held.add(client, 1)
      lastMinute.add(client)
      return new Promise((resolve, reject) => {
        const late = setTimeout(() => entry.refuse(), Math.max(0, waitMax - waited))
        const entry: Waiting = {
          client,
          begin() {
            clearTimeout(late)
            const done = work()
            resolve(done)
            return done.catch(() => {})
          },
          refuse() {
            clearTimeout(late)
            waiting.splice(waiting.indexOf(entry), 1)
            held.add(client, -1)
            reject(new Busy(untilFree))
          },
        }
        waiting.push(entry)
        void renderNext()
      })
    },
  }
}

/** Pauses for as long as the work took. While it waited for the database, other work could run. */
async function pauseSince(begun: ReturnType<typeof performance.eventLoopUtilization>): Promise<void> {
  const { active } = performance.eventLoopUtilization(begun)
  await new Promise((resolve) => setTimeout(resolve, Math.min(active, pauseMax)))
}

/** Returns the last request of the client with the most requests. */
const lastOfLargest = (waiting: readonly Waiting[], heldBy: (client: string) => number) =>
  waiting.reduceRight<Waiting | undefined>(
    (most, each) => (most && heldBy(most.client) >= heldBy(each.client) ? most : each),
    undefined,
  )

/** Number of waiting and running requests per client. */
function makeHeld() {
  const held = new Map<string, number>()
  const by = (client: string) => held.get(client) ?? 0
  return {
    by,
    byAll: () => [...held.values()].reduce((sum, each) => sum + each, 0),
    add(client: string, change: 1 | -1): void {
      const next = by(client) + change
      if (next > 0) held.set(client, next)
      else held.delete(client)
    },
  }
}

/** Number of requests per client in the current minute. */
function countByMinute(now: () => number) {
  const counted = new Map<string, number>()
  let countedSince = now()
  return {
    countOf(client: string): number {
      if (now() - countedSince >= MINUTE) {
        counted.clear()
        countedSince = now()
      }
      return counted.get(client) ?? 0
    },
    add: (client: string) => void counted.set(client, (counted.get(client) ?? 0) + 1),
    secondsLeft: () => Math.ceil((countedSince + MINUTE - now()) / SECOND),
  }
}
