import { DAY, SECOND } from '#contract/platform/durations.ts'
import { MIB } from '#contract/platform/fields.ts'
import { evict, weightOf, type CachedBody } from './cached-body.ts'

/** Size limit of cached pages and API responses in bytes, uncompressed and compressed together. */
const bytesMaxDefault = 64 * MIB
/**
 * Share of responses that depend on a query. They evict only each other, because clients can make up queries without
 * end.
 */
const shareOfQueries = 1 / 4
/** A response that would take more than this share is not cached. */
const shareOfOne = 1 / 4
/** How long changeable responses stay cached while change notifications are unavailable. */
const unheardMax = 5 * SECOND
/** Bytes per response in addition to its body. */
const overhead = 1024

/**
 * Days since 1970 in UTC. Pages are rendered again each day, because they show the current year, and the roadmap shows
 * the current date.
 */
export const currentDay = (): number => Math.floor(Date.now() / DAY)

export type Entry<Value> = {
  value: Promise<Value>
  /** The client that requested it first. */
  client: string
}

type How<Value> = {
  /** Topics whose changes invalidate it. */
  topics: readonly string[]
  client: string
  /** Depends only on the database, so it is cached only while change notifications work. */
  isExact?: boolean
  /** Milliseconds that a client waits for a response requested by another client before it is created again. */
  patience?: number
  make: () => Promise<Value>
  /** Undefined if it must not be cached. */
  bodyOf: (value: Value) => CachedBody | undefined
}

/**
 * Cache of responses that are the same for everyone: pages and API responses. Each is created once until something it
 * depends on changes.
 */
export type ResponseCache = {
  get<Value>(key: string, how: How<Value>): Entry<Value>
  /** The body cached under the key. */
  peek(key: string): CachedBody | undefined
  /** Also invalidates responses in progress, because they may have read data from before the change. */
  forget(topic: string): void
  /** While the database connection for change notifications is down, responses that depend on it are not cached. */
  setListening(isListening: boolean): void
  bytes(): number
}

type Held = Entry<unknown> & {
  key: string
  topics: readonly string[]
  isExact: boolean
  startedAt: number
  /** Set once it is created. */
  body?: CachedBody
  bytes: number
}

export function makeResponseCache(bytesMax = bytesMaxDefault): ResponseCache {
  /** Since when change notifications have been unavailable. */
  let unheardSince: number | undefined = performance.now()

  /** Content is read by this process itself, independently of notifications. */
  const isStale = ({ topics, startedAt }: Held) =>
    unheardSince !== undefined &&
    topics.some((topic) => topic !== 'content') &&
    performance.now() - Math.max(unheardSince, startedAt) > unheardMax
  const queryRegion = makeRegion(bytesMax * shareOfQueries, isStale)
  const fixed = makeRegion(bytesMax * (1 - shareOfQueries), isStale)
  const regionOf = (key: string) => (key.includes('?') ? queryRegion : fixed)
  const invalidateWhere = (isOver: (held: Held) => boolean) => {
    for (const region of [fixed, queryRegion]) region.invalidateWhere(isOver)
  }

  return {
    get<Value>(key: string, how: How<Value>): Entry<Value> {
      const { client, topics, isExact = false, patience = Infinity, make, bodyOf } = how
      // Requests do not join a running one either: without notifications, it may have read data from before a change.
      if (isExact && unheardSince !== undefined) return { client, value: make() }
      const region = regionOf(key)
      const last = region.get(key)
      const isOver = last !== undefined && isStale(last)
      if (isOver) region.remove(last)
      const known = isOver ? undefined : last
      const isWaitedFor = known && !known.body && known.client !== client
      if (known && !(isWaitedFor && performance.now() - known.startedAt > patience))
        return known as Entry<unknown> as Entry<Value>
      const value = make()
      const held: Held = { key, client, topics, isExact, value, startedAt: performance.now(), bytes: 0 }
      region.add(held)
      value.then(
        (made) => region.keep(held, bodyOf(made)),
        () => region.remove(held),
      )
      return held as Entry<unknown> as Entry<Value>
    },
    peek(key) {
      const held = regionOf(key).get(key)
      return held && !isStale(held) ? held.body : undefined
    },
    forget: (topic) => invalidateWhere(({ topics }) => topics.includes(topic)),
    setListening(isListening) {
      unheardSince = isListening ? undefined : (unheardSince ?? performance.now())
      invalidateWhere(({ isExact }) => isExact)
    },
    bytes: () => fixed.bytes() + queryRegion.bytes(),
  }
}

/** A map in order of use: the least recently used entry is evicted first. */
function makeRegion(bytesMax: number, isStale: (held: Held) => boolean) {
  const all = new Map<string, Held>()
  let bytes = 0

  function remove(held: Held): void {
    if (all.get(held.key) !== held) return
    all.delete(held.key)
    bytes -= held.bytes
    if (held.body) evict(held.body)
  }

  function grow(held: Held, by: number): void {
    held.bytes += by
    bytes += by
    if (held.bytes > bytesMax * shareOfOne) remove(held)
    for (const oldest of all.values()) {
      if (bytes <= bytesMax) return
      if (oldest.body) remove(oldest)
    }
  }

  function touch(held: Held): void {
    all.delete(held.key)
    all.set(held.key, held)
  }

  return {
    get(key: string): Held | undefined {
      const held = all.get(key)
      if (held) touch(held)
      return held
    },
    add(held: Held): void {
      all.set(held.key, held)
    },
    remove,
    keep(held: Held, body: CachedBody | undefined): void {
      // It was invalidated or replaced while it was being created.
      if (all.get(held.key) !== held) return
      if (!body) return remove(held)
      held.body = body
      body.holder = {
        touch: () => touch(held),
        grow: (by) => all.get(held.key) === held && grow(held, by),
        isStale: () => isStale(held),
      }
      grow(held, overhead + 2 * held.key.length + weightOf(body))
    },
    invalidateWhere(isOver: (held: Held) => boolean): void {
      for (const held of all.values()) if (isOver(held)) remove(held)
    },
    bytes: () => bytes,
  }
}
