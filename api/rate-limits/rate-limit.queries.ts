import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import { fromNow } from '../db/time.ts'

/** Counts one for the key; returns the count in its window and the seconds until the window ends. */
export async function countUp(
  db: Tx,
  keyHash: string,
  window: number,
): Promise<{ count: number; wait: number }> {
  const { rows } = await sql<{ count: number; wait: number }>`
    insert into throttle (key_hash, count, resets_at)
    values (${keyHash}, 1, ${fromNow(window)})
    on conflict (key_hash) do update set
      count = case when throttle.resets_at <= now() then 1 else throttle.count + 1 end,
      resets_at = case when throttle.resets_at <= now() then excluded.resets_at else throttle.resets_at end
    returning count, ceil(extract(epoch from resets_at - now()))::int as wait`.execute(db)
  return rows[0]!
}

export const countDown = (db: Tx, keyHash: string) =>
  sql`update throttle set count = greatest(count - 1, 0) where key_hash = ${keyHash}`.execute(db)

export const deleteCounts = (db: Tx, keyHashes: readonly string[]) =>
  db.deleteFrom('throttle').where('key_hash', 'in', keyHashes).execute()

export const deletePassedLimits = (db: Tx) =>
  db
    .deleteFrom('throttle')
    .where('resets_at', '<', sql<Date>`now()`)
    .execute()
