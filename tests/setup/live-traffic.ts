import { defaultAppId } from '#contract/people/apps.ts'

/** What visitors observed while something happened. */
export type Seen = {
  reads: number
  writes: number
  /** Responses with a status of 500 or above, by status. 0 means no response. */
  failures: Map<number, number>
  /** The slowest response in milliseconds. */
  slowest: number
  /** The longest time without an acknowledged write, in milliseconds. */
  longestPause: number
}

export type Traffic = {
  /** Titles of the posts that were acknowledged. */
  acknowledged: string[]
  /** Restarts the count. */
  watch(): () => Seen
  stop(): Promise<void>
}

const checkEvery = 100
const patience = 30_000

/**
 * Reads and writes continuously through several instances, like a proxy: only to instances that are ready, and to the
 * next one if a connection is refused. Nothing is sent twice.
 */
export function startTraffic(
  urls: readonly string[],
  token: () => string,
  writers = 3,
  readers = 3,
): Traffic {
  const ready = new Set<string>()
  const acknowledged: string[] = []
  let seen: Seen = begin()
  let lastWrite = performance.now()
  let isOver = false
  let turn = 0

  const check = async (url: string) => {
    const isReady = await fetch(`${url}/v2/ready`, { signal: AbortSignal.timeout(2000) }).then(
      (answer) => answer.ok,
      () => false,
    )
    if (isReady) ready.add(url)
    else ready.delete(url)
  }
  const checks = urls.map(async (url) => {
    while (!isOver) {
      await check(url)
      await pause(checkEvery)
    }
  })

  async function send(path: string, options: RequestInit = {}): Promise<Response | undefined> {
    const begun = performance.now()
    let status = 0
    try {
      for (let tries = 0; tries < urls.length; tries += 1) {
        // If no instance is ready, any of them is used, like a proxy does.
        const all = ready.size > 0 ? [...ready] : urls
        const url = all[turn++ % all.length]!
        try {
          const answer = await fetch(url + path, {
            ...options,
            headers: { 'x-app-id': defaultAppId, ...options.headers },
            signal: AbortSignal.timeout(patience),
          })
          status = answer.status
          return answer
        } catch (error) {
          const { code } = ((error as Error).cause ?? {}) as { code?: string }
          if (code !== 'ECONNREFUSED') return undefined
          ready.delete(url)
        }
      }
      return undefined
    } finally {
      seen.slowest = Math.max(seen.slowest, performance.now() - begun)
      if (status === 0 || status >= 500) seen.failures.set(status, (seen.failures.get(status) ?? 0) + 1)
    }
  }

  async function write(name: number): Promise<void> {
    for (let n = 0; !isOver; n += 1) {
      const title = `Traffic ${name} ${n}`
      const answer = await send('/v2/announcements/create', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-access-token': token() },
        body: JSON.stringify({ title, category: 'News', language: 'en', content: `<p>${title}</p>` }),
      })
      if (answer?.status === 201) {
        acknowledged.push(title)
        seen.writes += 1
        seen.longestPause = Math.max(seen.longestPause, performance.now() - lastWrite)
        lastWrite = performance.now()
      } else {
        if (answer && answer.status < 500)
          throw new Error(`a write was answered ${answer.status}: ${await answer.text()}`)
        await pause(100)
      }
      await answer?.arrayBuffer().catch(() => undefined)
    }
  }

  async function read(paths: readonly string[]): Promise<void> {
    for (let n = 0; !isOver; n += 1) {
      const answer = await send(paths[n % paths.length]!)
      await answer?.arrayBuffer().catch(() => undefined)
      seen.reads += 1
      await pause(answer?.ok ? 10 : 100)
    }
  }

  const paths = ['/', '/news', '/v2/announcements/en?limit=5', '/v2/announcements/getCategories']
  const working = [
    ...Array.from({ length: writers }, (_, name) => write(name)),
    ...Array.from({ length: readers }, () => read(paths)),
  ]
  return {
    acknowledged,
    watch() {
      seen = begin()
      lastWrite = performance.now()
      const current = seen
      return () => ({
        ...current,
        longestPause: Math.max(current.longestPause, performance.now() - lastWrite),
      })
    },
    async stop() {
      isOver = true
      await Promise.all([...working, ...checks])
    },
  }
}

const begin = (): Seen => ({ reads: 0, writes: 0, failures: new Map(), slowest: 0, longestPause: 0 })
export const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
