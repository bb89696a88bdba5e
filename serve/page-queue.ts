import { MINUTE, SECOND } from '#contract/durations.ts'

/** Why a page is not rendered now, and when to ask again. */
export class Busy extends Error {
  readonly retryAfterSeconds: number

  constructor(retryAfterSeconds: number) {
    super('busy')
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/**
 * Pages that depend on what was typed are without number, and each costs a search and a rendering that holds everybody.
 * So one is rendered at a time, with a pause as long as the program worked on it, and a client has few of them waiting and some
 * in a minute.
 * When it is full, the last of the client with the most gives way, so that nobody fills it for others.
 */
export type PageQueue = {
  /** Rejects with `Busy` what does not begin. `waited`: milliseconds that its reader waited for it before. */
  enter<T>(client: string, work: () => Promise<T>, waited?: number): Promise<T>
}

type Limits = { waitingMax: number; waitingOfClientMax: number; ofClientMax: number; waitMax: number }
type Waiting = { client: string; begin: () => Promise<unknown>; refuse: () => void }

/** Where what is rendered hangs, readers must not wait for one another. */
const waitMax = 5 * SECOND
export const ofSearches: Limits = { waitingMax: 8, waitingOfClientMax: 2, ofClientMax: 60, waitMax }
/** Pages that are read, each by one query: people open several at once. */
export const ofUnseenPages: Limits = { waitingMax: 32, waitingOfClientMax: 6, ofClientMax: 120, waitMax }
const pauseMax = SECOND

export function makePageQueue(
  { waitingMax, waitingOfClientMax, ofClientMax, waitMax } = ofSearches,
  now: () => number = () => performance.now(),
): PageQueue {
  const waiting: Waiting[] = []
  /** Of each client what waits and what is being rendered. */
  const held = new Map<string, number>()
  const counted = new Map<string, number>()
  let countedSince = now()
  let isRendering = false
  /** Nobody who waits now waits longer. */
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
    // While it waited for the database, others had their turn.
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
