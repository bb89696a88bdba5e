/** Runs work items one after the other. */
type FairQueue = <T>(owner: string, work: () => Promise<T>) => Promise<T>

/**
 * Runs one item at a time. Among waiting owners, the one whose work has taken the least time since the queue was last
 * empty goes first. Owners of slow work thus wait for everyone else, who wait for at most one of their items.
 */
export function makeFairQueue(now: () => number = () => performance.now()): FairQueue {
  const waiting = new Map<string, (() => Promise<void>)[]>()
  const spent = new Map<string, number>()
  let isRunning = false

  async function run(): Promise<void> {
    isRunning = true
    for (let owner = nextOwner(); owner !== undefined; owner = nextOwner()) {
      const queue = waiting.get(owner)!
      const work = queue.shift()!
      if (queue.length === 0) waiting.delete(owner)
      const begun = now()
      await work()
      spent.set(owner, (spent.get(owner) ?? 0) + now() - begun)
    }
    spent.clear()
    isRunning = false
  }

  function nextOwner(): string | undefined {
    let next: string | undefined
    for (const owner of waiting.keys())
      if (next === undefined || (spent.get(owner) ?? 0) < (spent.get(next) ?? 0)) next = owner
    return next
  }

  return (owner, work) =>
    new Promise((resolve, reject) => {
      const queue = waiting.get(owner) ?? []
      waiting.set(owner, queue)
      queue.push(() => work().then(resolve, reject))
      if (!isRunning) void run()
    })
}
