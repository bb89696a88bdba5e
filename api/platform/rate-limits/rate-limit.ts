import type { Tx } from '../db/database.ts'
import type { Keys } from '../keys.ts'
import { Refused } from '../refused.ts'
import { countDown, countUp, deleteCounts, type Counted, type KeyLimit } from './rate-limit.queries.ts'

/** Allows at most `max` in `window` milliseconds for the key. Keys are hashed before they are stored. */
export type Limit = { key: string; max: number; window: number }

/** Returns the limit with its key in stored form. */
export const blinded = (keys: Keys, { key, max, window }: Limit): KeyLimit => ({
  keyHash: keys.blind(key),
  max,
  window,
})

/** Returns the seconds to wait if the count exceeds the limit. */
export const waitOf = ({ max }: Pick<Limit, 'max'>, { count, wait }: Counted): number | undefined =>
  count > max ? Math.max(1, wait) : undefined

/** Uses one of the limit. Returns the count in its window and, if it is exceeded, the seconds to wait. */
export async function countOne(
  db: Tx,
  keys: Keys,
  limit: Limit,
): Promise<{ count: number; wait: number | undefined }> {
  const [counted] = await countUp(db, [blinded(keys, limit)])
  return { count: counted!.count, wait: waitOf(limit, counted!) }
}

/**
 * Uses one of each limit, regardless of the outcome, and returns the seconds to wait if one is exceeded. Stops at the
 * first that is, so that rejected requests do not use up the limits after it.
 */
export async function consume(db: Tx, keys: Keys, limits: readonly Limit[]): Promise<number | undefined> {
  if (limits.length === 0) return undefined
  const counted = await countUp(
    db,
    limits.map((limit) => blinded(keys, limit)),
  )
  return waitOf(limits[counted.length - 1]!, counted.at(-1)!)
}

/** Refunds what `consume` used, for limits on failures only. */
export async function refund(db: Tx, keys: Keys, limits: readonly Limit[]): Promise<void> {
  if (limits.length === 0) return
  await countDown(
    db,
    limits.map(({ key }) => keys.blind(key)),
  )
}

/** Resets the count of each key. */
export async function resetCounts(db: Tx, keys: Keys, counted: readonly string[]): Promise<void> {
  await deleteCounts(
    db,
    counted.map((key) => keys.blind(key)),
  )
}

/** Does the same as `consume`, but throws `rate_limited`. */
export async function requireWithinLimits(db: Tx, keys: Keys, limits: readonly Limit[]): Promise<void> {
  const retryAfterSeconds = await consume(db, keys, limits)
  if (retryAfterSeconds !== undefined) throw new Refused('rate_limited', { retryAfterSeconds })
}
