import type { Tx } from '../db/database.ts'
import type { Keys } from '../keys.ts'
import { Refused } from '../refused.ts'
import { countDown, countUp, deleteCounts } from './rate-limit.queries.ts'

/** At most `max` in `window` milliseconds for the key. Keys are blinded before they are stored. */
export type Limit = { key: string; max: number; window: number }

/** Consumes one of the limit: how many that makes in its window and, if it is exceeded, the seconds to wait. */
export async function countOne(
  db: Tx,
  keys: Keys,
  { key, max, window }: Limit,
): Promise<{ count: number; wait: number | undefined }> {
  const { count, wait } = await countUp(db, keys.blind(key), window)
  return { count, wait: count > max ? Math.max(1, wait) : undefined }
}

/** Consumes one of each limit, whatever the outcome, and returns the seconds to wait if one is exceeded. */
export async function consume(db: Tx, keys: Keys, limits: readonly Limit[]): Promise<number | undefined> {
  for (const limit of limits) {
    const { wait } = await countOne(db, keys, limit)
    // Stops at the first exceeded limit, so that refused requests do not use up the limits after it.
    if (wait !== undefined) return wait
  }
  return undefined
}

/** Gives back what `consume` took, for limits on failures only. */
export async function refund(db: Tx, keys: Keys, limits: readonly Limit[]): Promise<void> {
  for (const limit of limits) await countDown(db, keys.blind(limit.key))
}

/** Begins the count of each key anew. */
export async function forgetCounts(db: Tx, keys: Keys, counted: readonly string[]): Promise<void> {
  await deleteCounts(
    db,
    counted.map((key) => keys.blind(key)),
  )
}

/** As `consume`, refusing with `rate_limited`. */
export async function requireWithinLimits(db: Tx, keys: Keys, limits: readonly Limit[]): Promise<void> {
  const retryAfterSeconds = await consume(db, keys, limits)
  if (retryAfterSeconds !== undefined) throw new Refused('rate_limited', { retryAfterSeconds })
}
