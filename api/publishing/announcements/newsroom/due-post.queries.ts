import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/database.ts'

/** Locks a post that is due by the database clock; other instances skip it. */
export const lockDuePost = (db: Tx, except: readonly string[]) =>
  db
    .selectFrom('announcement')
    .select(['id', 'version', 'publish_at'])
    .where('state', '=', 'scheduled')
    .where('publish_at', '<=', sql<Date>`now()`)
    .$if(except.length > 0, (query) => query.where('id', 'not in', except))
    .orderBy('publish_at')
    .orderBy('id')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()

/** Milliseconds until the next post is due; undefined if none is scheduled. */
export async function readTimeToNext(db: Tx): Promise<number | undefined> {
  const { rows } = await sql<{ wait: number | null }>`
    select (extract(epoch from min(publish_at) - clock_timestamp()) * 1000)::float8 as wait
    from announcement where state = 'scheduled'`.execute(db)
  return rows[0]?.wait ?? undefined
}
