import { SECOND } from '#contract/durations.ts'
import { MIB } from '#contract/fields.ts'
import { drop, weightOf, type CachedBody } from './cached-body.ts'

/** What pages and calls may keep in memory, uncompressed and compressed together. */
const bytesMaxDefault = 64 * MIB
/** Of answers that depend on a query, so that they drive out only one another: anybody may ask for ever other ones. */
const shareOfAsked = 1 / 4
/** One answer that would take more of its share is made for each who asks. */
const shareOfOne = 1 / 4
/** So long what changes is kept at most while changes are not heard of: it may have changed since. */
const unheardMax = 5 * SECOND
/** What an answer takes besides its bytes. */
const overhead = 1024

export type Entry<Value> = {
  value: Promise<Value>
  /** Who asked for it first. */
  client: string
}

type How<Value> = {
  /** What it depends on: a change of one of these ends it. */
  topics: readonly string[]
  client: string
  /** Depends on what only the database tells: kept only while its changes are heard of. */
  isExact?: boolean
  /** For how many milliseconds a client waits for what another one asked for, before it is made for them as well. */
  patience?: number
  make: () => Promise<Value>
  /** `undefined` where it is not to be kept. */
  bodyOf: (value: Value) => CachedBody | undefined
}

/** Answers that are the same for everybody, of pages and calls alike: each made once until what it depends on changes. */
export type KeptAnswers = {
  get<Value>(key: string, how: How<Value>): Entry<Value>
  /** The body that is kept there now. */
  peek(key: string): CachedBody | undefined
  /** Also what is being made: it may have been read before the change. */
  forget(topic: string): void
  /** While changes of the database are not heard of, nothing that depends on them is kept. */
  setListening(isListening: boolean): void
  bytes(): number
}

type Held = Entry<unknown> & {
  key: string
  topics: readonly string[]
  isExact: boolean
  begunAt: number
  /** Once it is made. */
  body?: CachedBody
  bytes: number
}

export function makeKeptAnswers(bytesMax = bytesMaxDefault): KeptAnswers {
  /** Since when changes of the database are not heard of. */
  let unheardSince: number | undefined = performance.now()

  /** The content is what this program read of it, whatever is heard of. */
  const isStale = ({ topics, begunAt }: Held) =>
    unheardSince !== undefined &&
    topics.some((topic) => topic !== 'content') &&
    performance.now() - Math.max(unheardSince, begunAt) > unheardMax
  const asked = makeRegion(bytesMax * shareOfAsked, isStale)
  const fixed = makeRegion(bytesMax * (1 - shareOfAsked), isStale)
  const regionOf = (key: string) => (key.includes('?') ? asked : fixed)
  const forgetWhere = (isOver: (held: Held) => boolean) => {
    for (const region of [fixed, asked]) region.forgetWhere(isOver)
  }

  return {
    get<Value>(key: string, how: How<Value>): Entry<Value> {
      const { client, topics, isExact = false, patience = Infinity, make, bodyOf } = how
      // Nobody joins either: whoever asks after a change nobody hears of must not get what was read before it.
      if (isExact && unheardSince !== undefined) return { client, value: make() }
      const region = regionOf(key)
      const last = region.get(key)
      const isOver = last !== undefined && isStale(last)
      if (isOver) region.remove(last)
      const known = isOver ? undefined : last
      const isWaitedFor = known && !known.body && known.client !== client
      if (known && !(isWaitedFor && performance.now() - known.begunAt > patience))
        return known as Entry<unknown> as Entry<Value>
      const value = make()
      const held: Held = { key, client, topics, isExact, value, begunAt: performance.now(), bytes: 0 }
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
    forget: (topic) => forgetWhere(({ topics }) => topics.includes(topic)),
    setListening(isListening) {
      unheardSince = isListening ? undefined : (unheardSince ?? performance.now())
      forgetWhere(({ isExact }) => isExact)
    },
    bytes: () => fixed.bytes() + asked.bytes(),
  }
}

/** A map in the order of use: what nobody asked for the longest goes first. */
function makeRegion(bytesMax: number, isStale: (held: Held) => boolean) {
  const all = new Map<string, Held>()
  let bytes = 0

  function remove(held: Held): void {
    if (all.get(held.key) !== held) return
    all.delete(held.key)
    bytes -= held.bytes
    if (held.body) drop(held.body)
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
      // Otherwise it was forgotten, or made anew, while it was made.
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
    forgetWhere(isOver: (held: Held) => boolean): void {
      for (const held of all.values()) if (isOver(held)) remove(held)
    },
    bytes: () => bytes,
  }
}
