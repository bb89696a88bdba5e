import { sql } from 'kysely'
import pg from 'pg'
import { SECOND } from '#contract/durations.ts'
import { noteAnnounced } from './committed-changes.ts'
import type { Tx } from './database.ts'

/** Topics that instances notify one another about when a transaction that changed them commits. */
export const topics = ['mail', 'announcements', 'ambassadors', 'erasures', 'content'] as const
export type Topic = (typeof topics)[number]

const channel = 'changes'

export async function announceChange(db: Tx, topic: Topic): Promise<void> {
  await sql`select pg_notify(${channel}, ${topic})`.execute(db)
  noteAnnounced(db, topic)
}

export type Changes = {
  on(listener: (topic: Topic) => void): void
  /** Tells whether changes are heard of, now and whenever that changes. */
  onListening(listener: (isListening: boolean) => void): void
  close(): Promise<void>
}

/**
 * Listens to changes of every instance (LISTEN/NOTIFY) on a connection of its own. When a lost connection is restored,
 * everything may have changed, so every topic is reported.
 */
export function listenToChanges(url: string): Changes {
  const listeners: ((topic: Topic) => void)[] = []
  const notify = (topic: Topic) => listeners.forEach((listener) => listener(topic))
  const watchers: ((isListening: boolean) => void)[] = []
  let isListening = false
  const setListening = (next: boolean) => {
    isListening = next
    watchers.forEach((watcher) => watcher(next))
  }
  let client: pg.Client | undefined
  let isClosed = false
  let retry: NodeJS.Timeout | undefined

  const connect = async () => {
    const attempt = new pg.Client({
      connectionString: url,
      keepAlive: true,
      // A connection that ended without a word is found within seconds.
      keepAliveInitialDelayMillis: SECOND,
      connectionTimeoutMillis: 2 * SECOND,
    })
    client = attempt
    const lose = () => {
      if (client !== attempt || isClosed) return
      client = undefined
      setListening(false)
      attempt.end().catch(() => {})
      retry = setTimeout(() => void connect(), SECOND)
    }
    attempt.on('error', lose)
    attempt.on('end', lose)
    attempt.on('notification', ({ payload }) => notify(payload as Topic))
    try {
      await attempt.connect()
      await attempt.query(`listen ${channel}`)
      setListening(true)
      topics.forEach(notify)
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
      await client?.end().catch(() => {})
    },
  }
}
