import { MINUTE, SECOND } from '#contract/durations.ts'

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
export type RenderQueue = {
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
  /** Number of waiting and running requests per client. */
  const held = new Map<string, number>()
  const counted = new Map<string, number>()
  let countedSince = now()
  let isRendering = false
  /** By then, every request that is waiting now will have left the queue. */
  const untilFree = Math.ceil(waitMax / SECOND)

  const heldBy = (client: string) => held.get(client) ?? 0
  const heldByAll = () => [...held.values()].reduce((sum, each) => sum + each, 0)
  function hold(client: string, by: 1 | -1): void {
    const next = heldBy(client) + by
    if (next > 0) held.set(client, next)
    else held.delete(client)
  }

  function requireTurn(client: string): void {
    if (now() - countedSince >= MINUTE) {
      counted.clear()
      countedSince = now()
    }
    if ((counted.get(client) ?? 0) >= ofClientMax)
      throw new Busy(Math.ceil((countedSince + MINUTE - now()) / SECOND))
    if (heldBy(client) >= waitingOfClientMax) throw new Busy(untilFree)
    if (heldByAll() < waitingMax) return
    const largest = waiting.reduceRight<Waiting | undefined>(
      (most, each) => (most && heldBy(most.client) >= heldBy(each.client) ? most : each),
      undefined,
    )
    if (!largest || heldBy(largest.client) <= heldBy(client) + 1) throw new Busy(untilFree)
    largest.refuse()
  }

  async function renderNext(): Promise<void> {
    const next = isRendering ? undefined : waiting.shift()
    if (!next) return
    isRendering = true
    const begun = performance.eventLoopUtilization()
    await next.begin()
    hold(next.client, -1)
    // While the work waited for the database, other work could run.
    const { active } = performance.eventLoopUtilization(begun)
    await new Promise((resolve) => setTimeout(resolve, Math.min(active, pauseMax)))
    isRendering = false
    void renderNext()
  }

  return {
    async enter(client, work, waited = 0) {
      requireTurn(client)
      hold(client, 1)
      counted.set(client, (counted.get(client) ?? 0) + 1)
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
            hold(client, -1)
            reject(new Busy(untilFree))
          },
        }
        waiting.push(entry)
        void renderNext()
      })
    },
  }
}
