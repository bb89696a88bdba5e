import { randomUUID } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import pg from 'pg'
import { SECOND } from '#contract/durations.ts'
import { noteAnnounced } from './committed-changes.ts'
import type { Tx } from './database.ts'

/** Topics that instances notify one another about when a transaction that changed them commits. */
export const topics = ['mail', 'announcements', 'ambassadors', 'erasures', 'content'] as const
export type Topic = (typeof topics)[number]

const channel = 'changes'
/** So many trials may be on their way: a machine that does much else answers late. */
const unheardMax = 2

export async function announceChange(db: Tx, topic: Topic): Promise<void> {
  await sql`select pg_notify(${channel}, ${topic})`.execute(db)
  noteAnnounced(db, topic)
}

/** The same as a part of a statement of a transaction, which evaluates it once. */
export function announcing(tx: Tx, topic: Topic): RawBuilder<unknown> {
  noteAnnounced(tx, topic)
  return sql`pg_notify(${channel}, ${topic})`
}

export type Changes = {
  on(listener: (topic: Topic) => void): void
  /** Tells whether changes are heard of, now and whenever that changes. */
  onListening(listener: (isListening: boolean) => void): void
  close(): Promise<void>
}

/** How often it is tried whether changes are heard of: they may not be, although the connection stands. */
const heartbeatDefault = SECOND

/**
 * Listens to changes of every instance (LISTEN/NOTIFY) on a connection of its own. When a lost connection is restored,
 * everything may have changed, so every topic is reported.
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
  let client: pg.Client | undefined
  let isClosed = false
  let retry: NodeJS.Timeout | undefined
  let beat: NodeJS.Timeout | undefined

  const connect = async () => {
    const attempt = new pg.Client({
      connectionString: url,
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
      attempt.end().catch(() => {})
      retry = setTimeout(() => void connect(), SECOND)
    }
    const own = `heard_${randomUUID().replaceAll('-', '')}`
    let unheard = 0
    const tryIt = () => {
      // It ended without a word.
      if (unheard >= unheardMax) return lose()
      unheard += 1
      attempt.query('select pg_notify($1, $2)', [own, '']).catch(() => {})
    }
    attempt.on('error', lose)
    attempt.on('end', lose)
    attempt.on('notification', ({ channel: heard, payload }) => {
      if (heard === channel) return notify(payload as Topic)
      unheard = 0
      if (client === attempt && !isClosed) setListening(true)
    })
    try {
      await attempt.connect()
      await attempt.query(`listen ${channel}`)
      await attempt.query(`listen ${own}`)
      topics.forEach(notify)
      if (client !== attempt || isClosed) return
      tryIt()
      beat = setInterval(tryIt, heartbeat)
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
