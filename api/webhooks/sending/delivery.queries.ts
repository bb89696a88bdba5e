import { sql } from 'kysely'
import { SECOND } from '#contract/durations.ts'
import type { Tx } from '../../db/database.ts'
import type { JsonArray } from '../../db/rows.ts'
import { fromNow } from '../../db/time.ts'
import type { Outcome } from './send-request.ts'

/** Attempts of one delivery that are remembered. */
const triesMax = 20
const now = sql<Date>`now()`
const isoNow = sql`to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const isFree = sql<boolean>`(d.claimed_until is null or d.claimed_until <= now())`
/** Of one subject the first comes first; what came later is told later. */
const isNext = sql<boolean>`not exists (
  select from webhook_delivery b
  where b.endpoint_id = d.endpoint_id and b.subject_id = d.subject_id and b.state = 'waiting' and b.n < d.n)`

export type ClaimedDelivery = {
  id: string
  attempts: number
  round_from: number
  event_id: string
  type: string
  data: unknown
  created_at: Date
  endpoint_id: string
  url: string
  sealed_secret: Buffer | null
  sealed_former_secret: Buffer | null
}

/**
 * An endpoint with something due that is not in others’ hands. Its lock makes counting what is under way exact; it does not hold up the
 * events that are being written for it.
 */
export async function lockDueEndpoint(db: Tx, without: readonly string[]): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select e.id from webhook_endpoint e
    where e.state = 'active' and e.deleted_at is null and not (e.id = any (${without}::text[]))
      and exists (
        select from webhook_delivery d
        where d.endpoint_id = e.id and d.state = 'waiting' and d.next_try_at <= now() and ${isFree})
    order by e.id limit 1
    for no key update skip locked`.execute(db)
  return rows[0]?.id
}

/** As many of what is due as the endpoint may have at once, for `lease` milliseconds. */
export async function claimDeliveries(
  db: Tx,
  endpointId: string,
  { lease, concurrency }: { lease: number; concurrency: number },
): Promise<ClaimedDelivery[]> {
  const { rows } = await sql<ClaimedDelivery>`
    with under_way as (
      select count(*)::int as count from webhook_delivery
      where endpoint_id = ${endpointId} and state = 'waiting' and claimed_until > now()),
    due as (
      select d.id from webhook_delivery d
      where d.endpoint_id = ${endpointId} and d.state = 'waiting' and d.next_try_at <= now() and ${isFree} and ${isNext}
      order by d.next_try_at, d.n
      limit greatest(${concurrency} - (select count from under_way), 0)
      for update skip locked)
    update webhook_delivery d set
      attempts = d.attempts + 1,
      claimed_until = ${fromNow(lease)},
      changed_at = now(),
      tries = (case when jsonb_array_length(d.tries) >= ${triesMax} then d.tries - 0 else d.tries end)
        || jsonb_build_array(jsonb_build_object('at', ${isoNow}))
    from due, webhook_event event, webhook_endpoint e
    where d.id = due.id and event.id = d.event_id and e.id = d.endpoint_id
    returning d.id, d.attempts, d.round_from, d.event_id, event.type, event.data, event.created_at,
      d.endpoint_id, e.url, e.sealed_secret, e.sealed_former_secret,
      e.former_secret_until > now() as has_former`.execute(db)
  return rows.map((row) => ({
    ...row,
    sealed_former_secret: (row as { has_former?: boolean | null }).has_former
      ? row.sealed_former_secret
      : null,
  }))
}

/**
 * In how many milliseconds the next one becomes due, at active endpoints, or a lease is over. What is due already waits for something else.
 * Asked after each attempt: it reads one entry of an index for each endpoint, however much waits.
 */
export async function findNextDue(db: Tx): Promise<number | undefined> {
  const { rows } = await sql<{ ms: string | null }>`
    select extract(epoch from min(at) - now()) * ${SECOND} as ms
    from webhook_endpoint e cross join lateral (
      (select d.next_try_at as at from webhook_delivery d
        where d.endpoint_id = e.id and d.state = 'waiting' and d.next_try_at > now()
        order by d.next_try_at limit 1)
      union all
      (select d.claimed_until from webhook_delivery d
        where d.endpoint_id = e.id and d.state = 'waiting' and d.claimed_until > now()
        order by d.claimed_until limit 1)) next
    where e.state = 'active' and e.deleted_at is null`.execute(db)
  const ms = rows[0]?.ms
  return ms == null ? undefined : Number(ms)
}

type Claim = Pick<ClaimedDelivery, 'id' | 'attempts'>

const endOfTry = ({ ms, status, trouble }: Outcome) =>
  sql<JsonArray>`jsonb_set(tries, '{-1}', coalesce(tries -> -1, '{}') || ${JSON.stringify({ ms, status, trouble })}::jsonb)`

const seen = (outcome: Outcome) => ({
  claimed_until: null,
  changed_at: now,
  last_status: outcome.status,
  last_error: outcome.trouble,
  last_ms: outcome.ms,
  response_excerpt: outcome.excerpt,
  tries: endOfTry(outcome),
})

/** What was delivered was delivered, also by whoever’s claim had run out. */
export async function markDelivered(db: Tx, { id }: Claim, outcome: Outcome): Promise<void> {
  await db
    .updateTable('webhook_delivery')
    .set({ ...seen(outcome), state: 'delivered' })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .execute()
}

/** Touches nothing that others have claimed since. `wait` undefined: it has failed. Answers whether it was still ours. */
export async function markFailed(
  db: Tx,
  { id, attempts }: Claim,
  outcome: Outcome,
  wait: number | undefined,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('webhook_delivery')
    .set({
      ...seen(outcome),
      ...(wait === undefined ? { state: 'failed' as const } : { next_try_at: fromNow(wait) }),
    })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Nothing of it has arrived, as far as we know: for whoever comes next, at once. The attempt does not count. */
export async function releaseDelivery(db: Tx, { id, attempts }: Claim, outcome: Outcome): Promise<void> {
  await db
    .updateTable('webhook_delivery')
    .set({ ...seen(outcome), next_try_at: now, round_from: sql`round_from + 1` })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('state', '=', 'waiting')
    .execute()
}
