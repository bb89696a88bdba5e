import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../db/database.ts'
import { fromNow } from '../db/expressions.ts'

/** The count of a key in its window, including the one just added, and the seconds until the window ends. */
export type Counted = { count: number; wait: number }

/** Allows at most `max` in `window` milliseconds for the hashed key. */
export type KeyLimit = { keyHash: string; max: number; window: number }

/** Adds one to the key's count, as part of a statement. Counts only if `from` has rows. */
export const counting = (
  { keyHash, window }: { keyHash: string | RawBuilder<string>; window: number },
  from: RawBuilder<unknown> = sql``,
) => sql<Counted>`
  insert into throttle (key_hash, count, resets_at)
  select ${keyHash}::text, 1, ${fromNow(window)} ${from}
  on conflict (key_hash) do update set
    count = case when throttle.resets_at <= now() then 1 else throttle.count + 1 end,
    resets_at = case when throttle.resets_at <= now() then excluded.resets_at else throttle.resets_at end
  returning count, ceil(extract(epoch from resets_at - now()))::int as wait`

/**
 * Adds one to each key in turn, up to the first whose limit this exceeds, in one statement. The rows are locked in the
 * order of the keys.
 */
export async function countUp(db: Tx, limits: readonly KeyLimit[]): Promise<Counted[]> {
  const name = (n: number) => sql.raw(`counted_${n}`)
  const parts = limits.map((limit, n) => {
    const before = limits[n - 1]
    const from = before && sql`from ${name(n - 1)} where ${name(n - 1)}.count <= ${before.max}`
    return sql`${name(n)} as (${counting(limit, from)})`
  })
  const counts = limits.map((_, n) => sql`select ${sql.lit(n)} as turn, count, wait from ${name(n)}`)
  const { rows } = await sql<Counted>`
    with ${sql.join(parts)} ${sql.join(counts, sql` union all `)} order by turn`.execute(db)
  return rows
}

/** Returns the current count of a key without counting. */
export async function findCount(db: Tx, keyHash: string): Promise<number> {
  const row = await db
    .selectFrom('throttle')
    .select('count')
    .where('key_hash', '=', keyHash)
    .where('resets_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return row?.count ?? 0
}

/** Subtracts one from the count of each key, as part of a statement. The rows are locked in the order of the keys. */
export const countingDown = (keyHashes: readonly string[]) => sql`
  update throttle set count = greatest(count - 1, 0) where key_hash in (
    select key_hash from throttle where key_hash = any(${keyHashes}::text[])
    order by array_position(${keyHashes}::text[], key_hash) for update)`

export const countDown = (db: Tx, keyHashes: readonly string[]) => countingDown(keyHashes).execute(db)

export const deleteCounts = (db: Tx, keyHashes: readonly string[]) =>
  db
    .deleteFrom('throttle')
    .where('key_hash', '=', sql<string>`any(${keyHashes}::text[])`)
    .execute()

export const deletePassedLimits = (db: Tx) =>
  db
    .deleteFrom('throttle')
    .where('resets_at', '<', sql<Date>`now()`)
    .execute()
