import { sql } from 'kysely'
import { SECOND } from '#contract/durations.ts'
import type { Tx } from '../db/database.ts'
import type { Keys } from '../keys.ts'
import { Refused } from '../refused.ts'

/** At most `max` in `window` milliseconds for the key. Keys are blinded before they are stored. */
export type Limit = { key: string; max: number; window: number }

/** Consumes one of each limit, whatever the outcome, and answers the seconds to wait when one of them is passed. */
export async function consume(db: Tx, keys: Keys, limits: readonly Limit[]): Promise<number | undefined> {
  for (const limit of limits) {
    const { rows } = await sql<{ count: number; wait: number }>`
      insert into throttle (key_hash, count, resets_at)
      values (${keys.blind(limit.key)}, 1, now() + ${limit.window / SECOND} * interval '1 second')
      on conflict (key_hash) do update set
        count = case when throttle.resets_at <= now() then 1 else throttle.count + 1 end,
        resets_at = case when throttle.resets_at <= now() then excluded.resets_at else throttle.resets_at end
      returning count, ceil(extract(epoch from resets_at - now()))::int as wait`.execute(db)
    const row = rows[0]
    // A limit that is passed ends it: what it refuses must not use up the limits behind it.
    if (row && row.count > limit.max) return Math.max(1, row.wait)
  }
  return undefined
}

/** Gives back what `consume` took, for limits on failures only. */
export async function refund(db: Tx, keys: Keys, limits: readonly Limit[]): Promise<void> {
  for (const limit of limits)
    await sql`update throttle set count = greatest(count - 1, 0) where key_hash = ${keys.blind(limit.key)}`.execute(
      db,
    )
}

/** As `consume`, refusing with `rate_limited`. */
export async function requireWithinLimits(db: Tx, keys: Keys, limits: readonly Limit[]): Promise<void> {
  const retryAfterSeconds = await consume(db, keys, limits)
  if (retryAfterSeconds !== undefined) throw new Refused('rate_limited', { retryAfterSeconds })
}

export const deletePassedLimits = (db: Tx) =>
  db
    .deleteFrom('throttle')
    .where('resets_at', '<', sql<Date>`now()`)
    .execute()
