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
/** Open streams of one instance. Each costs a connection and a few kilobytes, but no database connection. */
export const totalMax = 1000
/** A stream is reopened after this time, with a newly checked token. */
const life = 10 * MINUTE
/** Proxies close connections on which nothing is sent. */
const beat = 20 * SECOND
/** Pause between two reads of the orders of everyone who has a stream open. */
const every = 2 * SECOND
/** How often a shutdown is noticed. It begins by waiting this long for proxies. */
const checkEvery = SECOND / 2
/** A client that doesn't read this many bytes is gone or too slow. */
const unreadMax = 16 * 1024
const retryAfterSeconds = 60

type Stream = {
  readable: Readable
  memberId: string
  sessionId: string
  openedAt: number
  /** The versions that the client has seen or was told about, by order. */
  versions: Map<string, string>
}

/** The open streams of an instance, by its database. */
const streamsOf = new WeakMap<object, Set<Stream>>()

type Needed = Pick<Services, 'db' | 'lifecycle' | 'log'>

/** Opens a stream of the changes from now on. Too many streams of one member or of all are refused. */
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
  const stream: Stream = { readable, memberId, sessionId, openedAt: Date.now(), versions: new Map() }
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
  // From now on, the client is told of every change.
  readable.push(': open\n\n')
  return readable
}

/** Tells the clients with open streams about changes. Without open streams, it does nothing. */
export function startOrderStreams(services: Needed): Worker {
  const { db, lifecycle } = services
  let [readAt, beatAt] = [0, 0]
  let reading: Promise<void> | undefined
  const read = async () => {
    readAt = Date.now()
    const isBeat = readAt - beatAt >= beat
    if (isBeat) beatAt = readAt
    await tellChanges(db, { isBeat }).catch((error: unknown) => {
      logFailure(services, error, 'reading the changes of orders failed')
      // Nothing can be told, and clients find that out by polling.
      endAll(db)
    })
    reading = undefined
  }
  const timer = setInterval(() => {
    if (lifecycle.isStopping) endAll(db)
    else if (streamsOf.get(db)?.size && Date.now() - readAt >= every) reading ??= read()
  }, checkEvery)
  return {
    async stop() {
      clearInterval(timer)
      endAll(db)
      await reading
    },
  }
}

/** Ends a stream after what was sent. Its client polls until it has another one. */
function end(db: object, stream: Stream): void {
  if (streamsOf.get(db)?.delete(stream)) stream.readable.push(null)
}

const endAll = (db: object): void => streamsOf.get(db)?.forEach((stream) => end(db, stream))

async function tellChanges(db: Services['db'], { isBeat }: { isBeat: boolean }): Promise<void> {
  const before = [...(streamsOf.get(db) ?? [])]
  // Read before the orders, so that nothing is said to a session that has ended.
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
  const orders = await listOrderVersions(db, [...members])
  for (const stream of streams) {
    tell(
      stream,
      orders.filter(({ memberId }) => memberId === stream.memberId),
    )
    if (isBeat) stream.readable.push(': beat\n\n')
  }
}

const isFresh = ({ openedAt, readable }: Stream): boolean =>
  Date.now() - openedAt < life && readable.readableLength < unreadMax

function tell({ readable, versions }: Stream, orders: readonly OrderVersion[]): void {
  for (const { id, version } of orders) {
    if (versions.get(id) === version) continue
    versions.set(id, version)
    readable.push(`event: ${orderEvent}\ndata: ${id}\n\n`)
  }
}
