import { sql } from 'kysely'
import pg from 'pg'
import { SECOND } from '#contract/durations.ts'
import type { Tx } from './database.ts'

/** Topics that instances notify one another about when a transaction that changed them commits. */
export const topics = ['mail', 'announcements', 'ambassadors', 'erasures', 'content'] as const
export type Topic = (typeof topics)[number]

const channel = 'changes'

export async function announceChange(db: Tx, topic: Topic): Promise<void> {
  await sql`select pg_notify(${channel}, ${topic})`.execute(db)
}

export type Changes = { on(listener: (topic: Topic) => void): void; close(): Promise<void> }

/**
 * Listens to changes of every instance (LISTEN/NOTIFY) on a connection of its own. When a lost connection is restored,
 * everything may have changed, so every topic is reported.
 */
export function listenToChanges(url: string): Changes {
  const listeners: ((topic: Topic) => void)[] = []
  const notify = (topic: Topic) => listeners.forEach((listener) => listener(topic))
  let client: pg.Client | undefined
  let isClosed = false
  let retry: NodeJS.Timeout | undefined

  const connect = async () => {
    const attempt = new pg.Client({
      connectionString: url,
      keepAlive: true,
      connectionTimeoutMillis: 2 * SECOND,
    })
    client = attempt
    const lose = () => {
      if (client !== attempt || isClosed) return
      client = undefined
      attempt.end().catch(() => {})
      retry = setTimeout(() => void connect(), SECOND)
    }
    attempt.on('error', lose)
    attempt.on('end', lose)
    attempt.on('notification', ({ payload }) => notify(payload as Topic))
    try {
      await attempt.connect()
      await attempt.query(`listen ${channel}`)
      topics.forEach(notify)
    } catch {
      lose()
    }
  }
  void connect()

  return {
    on: (listener) => void listeners.push(listener),
    async close() {
      isClosed = true
      clearTimeout(retry)
      await client?.end().catch(() => {})
    },
  }
}
