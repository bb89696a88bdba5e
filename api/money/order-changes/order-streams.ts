import { Readable } from 'node:stream'
import { MINUTE, SECOND } from '#contract/platform/durations.ts'
import { orderEvent } from '#contract/money/order-changes.ts'
import { listLiveSessions } from '../../people/sessions/session.queries.ts'
import { logFailure } from '../../platform/jobs/log-failure.ts'
import type { Worker } from '../../platform/module.ts'
import { Refused } from '../../platform/refused.ts'
import type { Services } from '../../platform/services.ts'
import { listOrderVersions, type OrderVersion } from './order-changes.queries.ts'

export const perMemberMax = 4
/** Maximum number of open streams per instance. Each needs a connection and a few kilobytes of memory. */
export const totalMax = 1000
/** A stream ends after this time. The client then opens a new one, for which its token is checked again. */
const life = 10 * MINUTE
/** Interval between comments, because proxies close idle connections. */
const beat = 20 * SECOND
/** Interval at which the orders of all members with an open stream are read. */
const every = 2 * SECOND
/** Interval at which a shutdown is detected. A shutdown begins by waiting this long for proxies. */
const checkEvery = SECOND / 2
/** If more than this many bytes are unread, the client is gone or too slow. */
const unreadMax = 16 * 1024
const retryAfterSeconds = 60

type Stream = {
  readable: Readable
  memberId: string
  sessionId: string
  /** Monotonic time in milliseconds, as from `performance.now`. */
  openedAt: number
  /** The last version of each order that the client knows. */
  versions: Map<string, string>
}

/** The open streams of an instance, by its database. */
const streamsOf = new WeakMap<object, Set<Stream>>()

type Needed = Pick<Services, 'db' | 'lifecycle' | 'log'>

/** Opens a stream that reports changes from now on. Refuses it if the member or the instance has too many. */
export async function openOrderStream(
  { db }: Pick<Services, 'db'>,
  { memberId, sessionId }: Pick<Stream, 'memberId' | 'sessionId'>,
): Promise<Readable> {
  const streams = streamsOf.get(db) ?? new Set()
  streamsOf.set(db, streams)
  const own = [...streams].filter((each) => each.memberId === memberId)
  if (streams.size >= totalMax || own.length >= perMemberMax)
    throw new Refused('rate_limited', { retryAfterSeconds })
  const readable = new Readable({ read() {} })
  const stream: Stream = { readable, memberId, sessionId, openedAt: performance.now(), versions: new Map() }
  // Counted before anything is awaited, so that concurrent requests can't exceed the limit.
  streams.add(stream)
  readable.once('close', () => streams.delete(stream))
  try {
    const orders = await listOrderVersions(db, [memberId])
    stream.versions = new Map(orders.map(({ id, version }) => [id, version]))
  } catch (error) {
    readable.destroy()
    throw error
  }
  // From now on, every change is reported.
  readable.push(': open\n\n')
  return readable
}

/** Reports changes to open streams. Without open streams, it does nothing. */
export function startOrderStreams(services: Needed): Worker {
  const { db, lifecycle } = services
  // Monotonic times, because the system clock can be set back.
  let [readAt, beatAt] = [-Infinity, -Infinity]
  let reading: Promise<void> | undefined
  const read = async () => {
    readAt = performance.now()
    const isBeat = readAt - beatAt >= beat
    if (isBeat) beatAt = readAt
    await tellChanges(db, { isBeat }).catch((error: unknown) => {
      logFailure(services, error, 'reading changes of orders failed')
      // Changes can't be reported, so clients must poll.
      endAll(db)
    })
    reading = undefined
  }
  const timer = setInterval(() => {
    if (lifecycle.isStopping) endAll(db)
    else if (streamsOf.get(db)?.size && performance.now() - readAt >= every) reading ??= read()
  }, checkEvery)
  return {
    async stop() {
      clearInterval(timer)
      endAll(db)
      await reading
    },
  }
}

/** Ends a stream once everything in it has been sent. Its client polls until it has another one. */
function end(db: object, stream: Stream): void {
  if (streamsOf.get(db)?.delete(stream)) stream.readable.push(null)
}

const endAll = (db: object): void => streamsOf.get(db)?.forEach((stream) => end(db, stream))

async function tellChanges(db: Services['db'], { isBeat }: { isBeat: boolean }): Promise<void> {
  const before = [...(streamsOf.get(db) ?? [])]
  // Read before the orders, so that nothing is reported to a session that has ended.
  const live = await listLiveSessions(
    db,
    before.map(({ sessionId }) => sessionId),
  )
  const streams = before.filter((stream) => {
    const isOpen = live.has(stream.sessionId) && isFresh(stream)
    if (!isOpen) end(db, stream)
    return isOpen
  })
  const members = new Set(streams.map(({ memberId }) => memberId))
  const ordersOf = Map.groupBy(await listOrderVersions(db, [...members]), ({ memberId }) => memberId)
  for (const stream of streams) {
    tell(stream, ordersOf.get(stream.memberId) ?? [])
    if (isBeat) stream.readable.push(': beat\n\n')
  }
}

const isFresh = ({ openedAt, readable }: Stream): boolean =>
  performance.now() - openedAt < life && readable.readableLength < unreadMax

function tell({ readable, versions }: Stream, orders: readonly OrderVersion[]): void {
  for (const { id, version } of orders) {
    if (versions.get(id) === version) continue
    versions.set(id, version)
    readable.push(`event: ${orderEvent}\ndata: ${id}\n\n`)
  }
}
