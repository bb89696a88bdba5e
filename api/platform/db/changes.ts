import { sql } from 'kysely'
import { SECOND } from '#contract/platform/durations.ts'
import { recordAnnounced } from './committed-changes.ts'
import type { Tx } from './database.ts'
import { DatabaseClient } from './database-client.ts'

/** Topics about which instances notify each other when a transaction that changed them commits. */
export const topics = [
  'mail',
  'announcements',
  /** Beside `announcements`: what posts showed before must not be shown again, not even in an outage. */
  'retractions',
  'ambassadors',
  'sale',
  'erasures',
  'content',
  'webhooks',
  'maintenance',
] as const
export type Topic = (typeof topics)[number]

const channel = 'changes'
/** The maximum number of unanswered queries, because a busy machine answers late. */
const unansweredMax = 2

export async function announceChange(db: Tx, topic: Topic): Promise<void> {
  await sql`select announce(${topic})`.execute(db)
  recordAnnounced(db, topic)
}

export type Changes = {
  on(listener: (topic: Topic) => void): void
  /** Reports whether notifications work, now and on each change. */
  onListening(listener: (isListening: boolean) => void): void
  close(): Promise<void>
}

/**
 * Interval in milliseconds at which changes are read, because a notification may be lost, and behind some
 * poolers none arrives.
 */
const heartbeatDefault = SECOND

/**
 * Reads changes of all transactions that had not ended at the last read, because one that started earlier may
 * commit later. Some are read twice.
 */
const readChanges = `
  select pg_snapshot_xmin(pg_current_snapshot())::text as seen, coalesce(found, '{}') as found
  from (select array_agg(distinct xact || ' ' || topic) as found from change where xact >= $1::text::xid8) c`
type Answer = { seen: string; found: string[] }
const deleteOldChanges = `delete from change where extract(epoch from now() - at) > 600`
/** In read cycles. */
const deleteEvery = 600

/** Reports each change once, although changes are both notified and read. */
function makeReporter(notify: (topic: Topic) => void, heartbeat: number) {
  /** Notifications that were received but not read yet, by topic. */
  const heard = new Map<Topic, number[]>()
  return {
    reportHeard(topic: Topic) {
      heard.set(topic, [...(heard.get(topic) ?? []), performance.now()])
      notify(topic)
    },
    reportRead(topic: Topic) {
      const oldest = performance.now() - 2 * heartbeat
      const times = (heard.get(topic) ?? []).filter((time) => time > oldest)
      heard.set(topic, times.slice(1))
      if (times.length === 0) notify(topic)
    },
  }
}

type Listening = {
  notify: (topic: Topic) => void
  /** Called after each successful read. */
  onRead: () => void
  /** Called when the connection is lost. */
  onLost: () => void
}

/** Listens on one connection until it is lost or closed. */
function listenOnce(url: string, heartbeat: number, { notify, onRead, onLost }: Listening) {
  const client = new DatabaseClient({
    url,
    application_name: 'changes',
    keepAlive: true,
    connectionTimeoutMillis: 2 * SECOND,
  })
  let hasEnded = false
  let beat: NodeJS.Timeout | undefined
  const lose = () => {
    if (hasEnded) return
    hasEnded = true
    clearInterval(beat)
    // The other side may not answer a disconnect either.
    client.destroy()
    onLost()
  }
  const { reportHeard, reportRead } = makeReporter(notify, heartbeat)
  let unanswered = 0
  let turns = 0
  let last: Answer = { seen: '0', found: [] }
  const ask = async (): Promise<Answer> => {
    const { rows } = await client.query(readChanges, [last.seen])
    return (rows as Answer[])[0]!
  }
  const read = async () => {
    // The connection ended silently.
    if (unanswered >= unansweredMax) return lose()
    unanswered += 1
    const next = await ask()
    unanswered = 0
    if (hasEnded) return
    const known = new Set(last.found)
    last = next
    for (const each of next.found) if (!known.has(each)) reportRead(each.split(' ')[1] as Topic)
    onRead()
    turns += 1
    if (turns % deleteEvery === 1) await client.query(deleteOldChanges)
  }
  const start = async () => {
    await client.connect()
    await client.query(`listen ${channel}`)
    last = await ask()
    topics.forEach(notify)
    if (hasEnded) return
    onRead()
    beat = setInterval(() => void read().catch(lose), heartbeat)
  }
  client.on('error', lose)
  client.on('end', lose)
  client.on('notification', ({ payload }) => reportHeard(payload as Topic))
  start().catch(lose)
  return {
    async close() {
      hasEnded = true
      clearInterval(beat)
      await client.end().catch(() => {})
    },
  }
}

/**
 * Receives changes of every instance by LISTEN/NOTIFY, and also reads them every second, on a separate
 * connection. After a lost connection is restored, every topic is reported, because everything may have
 * changed.
 */
export function listenToChanges(url: string, heartbeat = heartbeatDefault): Changes {
  const listeners: ((topic: Topic) => void)[] = []
  const watchers: ((isListening: boolean) => void)[] = []
  let isListening = false
  const setListening = (next: boolean) => {
    if (next !== isListening) watchers.forEach((watcher) => watcher(next))
    isListening = next
  }
  let connection: { close(): Promise<void> } | undefined
  let retry: NodeJS.Timeout | undefined
  const connect = () => {
    connection = listenOnce(url, heartbeat, {
      notify: (topic) => listeners.forEach((listener) => listener(topic)),
      onRead: () => setListening(true),
      onLost: () => {
        connection = undefined
        setListening(false)
        retry = setTimeout(connect, SECOND)
      },
    })
  }
  connect()

  return {
    on: (listener) => void listeners.push(listener),
    onListening(watcher) {
      watchers.push(watcher)
      watcher(isListening)
    },
    async close() {
      setListening(false)
      clearTimeout(retry)
      await connection?.close()
    },
  }
}
