import { sql, type RawBuilder } from 'kysely'
import { SECOND } from '#contract/durations.ts'
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
  'erasures',
  'content',
  'webhooks',
] as const
export type Topic = (typeof topics)[number]

const channel = 'changes'
/** The maximum number of unanswered queries, because a busy machine answers late. */
const unansweredMax = 2

export async function announceChange(db: Tx, topic: Topic): Promise<void> {
  await sql`select announce(${topic})`.execute(db)
  recordAnnounced(db, topic)
}

/** Does the same as part of a statement, evaluated once. The caller runs `recordAnnounced` afterwards. */
export const announcing = (topic: Topic): RawBuilder<unknown> => sql`announce(${topic})`

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

/**
 * Receives changes of every instance by LISTEN/NOTIFY, and also reads them every second, on a separate
 * connection. After a lost connection is restored, every topic is reported, because everything may have
 * changed.
 */
export function listenToChanges(url: string, heartbeat = heartbeatDefault): Changes {
  const listeners: ((topic: Topic) => void)[] = []
  const notify = (topic: Topic) => listeners.forEach((listener) => listener(topic))
  const watchers: ((isListening: boolean) => void)[] = []
  let isListening = false
  const setListening = (next: boolean) => {
    if (next !== isListening) watchers.forEach((watcher) => watcher(next))
    isListening = next
  }
  let client: DatabaseClient | undefined
  let isClosed = false
  let retry: NodeJS.Timeout | undefined
  let beat: NodeJS.Timeout | undefined

  const connect = async () => {
    const attempt = new DatabaseClient({
      url,
      application_name: 'changes',
      keepAlive: true,
      connectionTimeoutMillis: 2 * SECOND,
    })
    client = attempt
    const lose = () => {
      if (client !== attempt || isClosed) return
      client = undefined
      clearInterval(beat)
      setListening(false)
      // The other side may not answer a disconnect either.
      attempt.destroy()
      retry = setTimeout(() => void connect(), SECOND)
    }
    let unanswered = 0
    let turns = 0
    let last: Answer = { seen: '0', found: [] }
    /** Notifications that were received but not read yet, by topic, so that none is reported twice. */
    const heard = new Map<Topic, number[]>()
    const hear = (topic: Topic) => {
      heard.set(topic, [...(heard.get(topic) ?? []), performance.now()])
      notify(topic)
    }
    const tellRead = (topic: Topic) => {
      const oldest = performance.now() - 2 * heartbeat
      const times = (heard.get(topic) ?? []).filter((time) => time > oldest)
      heard.set(topic, times.slice(1))
      if (times.length === 0) notify(topic)
    }
    const ask = async (): Promise<Answer> => {
      const { rows } = await attempt.query(readChanges, [last.seen])
      return (rows as Answer[])[0]!
    }
    const read = async () => {
      // The connection ended silently.
      if (unanswered >= unansweredMax) return lose()
      unanswered += 1
      const next = await ask()
      unanswered = 0
      if (client !== attempt || isClosed) return
      const known = new Set(last.found)
      last = next
      for (const each of next.found) if (!known.has(each)) tellRead(each.split(' ')[1] as Topic)
      setListening(true)
      turns += 1
      if (turns % deleteEvery === 1) await attempt.query(deleteOldChanges)
    }
    const readOrLose = () => void read().catch(lose)
    attempt.on('error', lose)
    attempt.on('end', lose)
    attempt.on('notification', ({ payload }) => hear(payload as Topic))
    try {
      await attempt.connect()
      await attempt.query(`listen ${channel}`)
      last = await ask()
      topics.forEach(notify)
      if (client !== attempt || isClosed) return
      setListening(true)
      beat = setInterval(readOrLose, heartbeat)
    } catch {
      lose()
    }
  }
  void connect()

  return {
    on: (listener) => void listeners.push(listener),
    onListening(watcher) {
      watchers.push(watcher)
      watcher(isListening)
    },
    async close() {
      isClosed = true
      setListening(false)
      clearTimeout(retry)
      clearInterval(beat)
      await client?.end().catch(() => {})
    },
  }
}
