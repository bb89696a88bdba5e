import { sql, type SqlBool } from 'kysely'
import type { JsonArray } from '../db/rows.ts'
import { fromNow } from '../db/expressions.ts'
import { instance } from '../jobs/instance.ts'

/*
 * Common parts of the outbox tables: an item waits in its row until `next_try_at`, an instance claims it until
 * `claimed_until`, and each attempt is an entry of `tries`. Attempts before `round_from` do not count for the delays,
 * because the item was resent manually since.
 */

const now = sql<Date>`now()`
/** The current time in the format of the API. */
const isoNow = sql`to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** An attempt that starts now in this instance. */
export const newTry = sql<JsonArray>`jsonb_build_array(jsonb_build_object('at', ${isoNow}, 'by', ${instance.id}::text))`

/** A claim for `lease` milliseconds. Of many attempts, only the last `triesMax` are kept. */
export const claimed = (lease: number, triesMax: number) => ({
  attempts: sql<number>`attempts + 1`,
  tries: sql<JsonArray>`case when jsonb_array_length(tries) >= ${triesMax} then tries - 0 else tries end || ${newTry}`,
  changed_at: now,
  claimed_until: fromNow(lease),
})

/** An attempt, which only counts if no other one has claimed the item since. */
export type Claim = { id: string; attempts: number }
export const isHeld = ({ id, attempts }: Claim) =>
  sql<SqlBool>`(id = ${id} and attempts = ${attempts} and state = 'waiting')`

/** Makes the item due at once for the next worker. */
export const released = { next_try_at: now, claimed_until: null }

export const isClaimedBy = (instanceIds: readonly string[]) =>
  sql<SqlBool>`(state = 'waiting' and claimed_until > now() and tries -> -1 ->> 'by' = any (${instanceIds}::text[]))`

export const endOfTry = (outcome: object) =>
  sql<JsonArray>`jsonb_set(tries, '{-1}', coalesce(tries -> -1, '{}') || jsonb_build_object('endedAt', ${isoNow}) || ${JSON.stringify(outcome)}::jsonb)`

/** Ends an attempt. */
export const ended = (outcome: object) => ({
  claimed_until: null,
  changed_at: now,
  tries: endOfTry(outcome),
})

/** Starts a new round of attempts. */
export const restarted = {
  state: 'waiting' as const,
  ...released,
  round_from: sql<number>`attempts`,
  changed_at: now,
}
