import { MINUTE, SECOND } from '#contract/durations.ts'

/**
 * Pages that depend on what was typed are without number, and each costs a search and a rendering that holds everybody.
 * So one is rendered at a time, with a pause as long as it took, and a client has few of them waiting and some in a minute.
 */
export type PageQueue = {
  /** `undefined` if the client, or everybody together, asks for too many. */
  enter<T>(client: string, work: () => Promise<T>): Promise<T> | undefined
}

type Limits = { waitingMax: number; waitingOfClientMax: number; ofClientMax: number }

const ofSearches: Limits = { waitingMax: 8, waitingOfClientMax: 2, ofClientMax: 60 }
/** Pages that are read, each by one query: people open several at once. */
export const ofUnseenPages: Limits = { waitingMax: 32, waitingOfClientMax: 6, ofClientMax: 120 }
const pauseMax = SECOND

export function makePageQueue(
  { waitingMax, waitingOfClientMax, ofClientMax } = ofSearches,
  now: () => number = () => performance.now(),
): PageQueue {
  const waiting = new Map<string, number>()
  const counted = new Map<string, number>()
  let countedSince = now()
  let last: Promise<unknown> = Promise.resolve()

  const count = (of: Map<string, number>, client: string, by: 1 | -1) => {
    const next = (of.get(client) ?? 0) + by
    if (next > 0) of.set(client, next)
    else of.delete(client)
  }
  const waitingOfAll = () => [...waiting.values()].reduce((sum, each) => sum + each, 0)

  function mayEnter(client: string): boolean {
    if (now() - countedSince >= MINUTE) {
      counted.clear()
      countedSince = now()
    }
    return (
      (counted.get(client) ?? 0) < ofClientMax &&
      (waiting.get(client) ?? 0) < waitingOfClientMax &&
      waitingOfAll() < waitingMax
    )
  }

  return {
    enter(client, work) {
      if (!mayEnter(client)) return undefined
      count(waiting, client, 1)
      count(counted, client, 1)
      let took = 0
      const done = last.then(async () => {
        const begun = now()
        try {
          return await work()
        } finally {
          took = now() - begun
          count(waiting, client, -1)
        }
      })
      const pause = () => new Promise((resolve) => setTimeout(resolve, Math.min(took, pauseMax)))
      last = done.then(pause, pause)
      return done
    },
  }
}
