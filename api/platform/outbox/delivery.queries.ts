import { sql } from 'kysely'
import { financeEventTypes } from '#contract/integrations/webhook-events.ts'
import type { DeliveryFailureReason, listWebhookDeliveries } from '#contract/integrations/webhooks.ts'
import type { InputOf } from '#contract/platform/endpoint.ts'
import type { Tx } from '../db/database.ts'
import { readPage } from '../db/read-page.ts'
import { fromNow } from '../db/expressions.ts'
import { claimed, ended, isClaimedBy, isHeld, released, restarted, type Claim } from './outbox.queries.ts'

/** What an attempt at a delivery led to. */
export type Outcome = {
  status: number | null
  trouble: DeliveryFailureReason | null
  excerpt: string
  ms: number
}

/** Maximum number of stored attempts per delivery. */
const triesMax = 20
const now = sql<Date>`now()`
const underWay = sql`(
  select endpoint_id from webhook_delivery where state = 'waiting' and claimed_until > now()) d`
const isFree = sql<boolean>`(d.claimed_until is null or d.claimed_until <= now())`
/** Deliveries of one subject are sent in order. */
const isNext = sql<boolean>`not exists (
  select from webhook_delivery b
  where b.endpoint_id = d.endpoint_id and b.subject_id = d.subject_id and b.state = 'waiting' and b.n < d.n)`

type DueEndpoint = { id: string; finance_responsible_by: string | null; is_finance_due: boolean }

/**
 * Locks the endpoints with due deliveries and room for them that no other instance is handling. The lock makes the
 * count of running deliveries exact, and doesn't block events being written for these endpoints.
 */
export async function lockDueEndpoints(db: Tx, concurrency: number): Promise<DueEndpoint[]> {
  const { rows } = await sql<DueEndpoint>`
    select e.id, e.finance_responsible_by, exists (
      select from webhook_delivery d join webhook_event event on event.id = d.event_id
      where d.endpoint_id = e.id and d.state = 'waiting' and d.next_try_at <= now()
        and event.type = any(${financeEventTypes})) as is_finance_due
    from webhook_endpoint e
    where e.state = 'active' and e.deleted_at is null
      and (select count(*) from ${underWay} where d.endpoint_id = e.id) < ${concurrency}
      and exists (
        select from webhook_delivery d
        where d.endpoint_id = e.id and d.state = 'waiting' and d.next_try_at <= now() and ${isFree})
    order by e.id
    for no key update skip locked`.execute(db)
  return rows
}

/** Claims as many due deliveries as the endpoint may have at once, for `lease` milliseconds. */
export const claimDeliveries = (
  db: Tx,
  endpointId: string,
  { lease, concurrency }: { lease: number; concurrency: number },
) =>
  db
    .with('due', (db) =>
      db
        .selectFrom('webhook_delivery as d')
        .select('d.id')
        .where('d.endpoint_id', '=', endpointId)
        .where('d.state', '=', 'waiting')
        .where('d.next_try_at', '<=', now)
        .where(isFree)
        .where(isNext)
        .orderBy('d.next_try_at')
        .orderBy('d.n')
        .limit(sql<number>`greatest(${concurrency} - (
          select count(*) from ${underWay} where d.endpoint_id = ${endpointId}), 0)`)
        .forUpdate()
        .skipLocked(),
    )
    .updateTable('webhook_delivery as d')
    .from(['due', 'webhook_event as event', 'webhook_endpoint as e'])
    .set(claimed(lease, triesMax))
    .whereRef('d.id', '=', 'due.id')
    .whereRef('event.id', '=', 'd.event_id')
    .whereRef('e.id', '=', 'd.endpoint_id')
    .returning(['d.id', 'd.attempts', 'd.round_from', 'd.event_id', 'd.endpoint_id'])
    .returning(['event.type', 'event.data', 'event.created_at', 'e.url', 'e.sealed_secret'])
    .returning(
      sql<Buffer | null>`case when e.former_secret_until > now() then e.sealed_former_secret end`.as(
        'sealed_former_secret',
      ),
    )
    .execute()

export type ClaimedDelivery = Awaited<ReturnType<typeof claimDeliveries>>[number]

export async function releaseDeliveriesOf(db: Tx, instanceIds: readonly string[]): Promise<void> {
  await db.updateTable('webhook_delivery').set(released).where(isClaimedBy(instanceIds)).execute()
}

const seen = ({ ms, status, trouble, excerpt }: Outcome) => ({
  ...ended({ ms, status, trouble }),
  last_status: status,
  last_error: trouble,
  last_ms: ms,
  response_excerpt: excerpt,
})

/** Records a delivery, even if its claim had expired. */
export async function markDelivered(db: Tx, { id }: Claim, outcome: Outcome): Promise<void> {
  await db
    .updateTable('webhook_delivery')
    .set({ ...seen(outcome), state: 'delivered' })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .execute()
}

/**
 * Records a failed attempt, unless someone else has claimed the delivery since. If `wait` is undefined, the delivery
 * has failed. Returns whether the claim was still valid.
 */
export async function markFailed(
  db: Tx,
  claim: Claim,
  outcome: Outcome,
  wait: number | undefined,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('webhook_delivery')
    .set({
      ...seen(outcome),
      ...(wait === undefined ? { state: 'failed' as const } : { next_try_at: fromNow(wait) }),
    })
    .where(isHeld(claim))
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/**
 * Makes the delivery due at once for the next worker, because nothing is known to have arrived. The attempt doesn't
 * count.
 */
export async function releaseDelivery(db: Tx, claim: Claim, outcome: Outcome): Promise<void> {
  await db
    .updateTable('webhook_delivery')
    .set({ ...seen(outcome), ...released, round_from: sql`round_from + 1` })
    .where(isHeld(claim))
    .execute()
}

const isInHand = sql<boolean>`coalesce(webhook_delivery.claimed_until > now(), false)`

const shown = (db: Tx) =>
  db
    .selectFrom('webhook_delivery')
    .innerJoin('webhook_event', 'webhook_event.id', 'webhook_delivery.event_id')
    .selectAll('webhook_delivery')
    .select(['webhook_event.type', 'webhook_event.data', 'webhook_event.created_at as happened_at'])
    .select(['webhook_delivery.last_status as status', 'webhook_delivery.last_ms as ms'])
    .select(isInHand.as('is_in_hand'))

export type DeliveryRow = Awaited<ReturnType<ReturnType<typeof shown>['executeTakeFirstOrThrow']>>

export const listDeliveries = (
  db: Tx,
  endpointId: string,
  { state, type, ...page }: InputOf<typeof listWebhookDeliveries>['query'],
) =>
  readPage(
    shown(db)
      .where('webhook_delivery.endpoint_id', '=', endpointId)
      .$if(state !== undefined, (query) => query.where('webhook_delivery.state', '=', state!))
      .$if(type !== undefined, (query) => query.where('webhook_event.type', '=', type!)),
    page,
    { at: 'webhook_delivery.created_at', id: 'webhook_delivery.id' },
  )

export const findDelivery = (db: Tx, id: string) =>
  shown(db).where('webhook_delivery.id', '=', id).executeTakeFirst()

export async function hasDeliveryOf(db: Tx, endpointId: string, types: readonly string[]): Promise<boolean> {
  const row = await shown(db)
    .where('webhook_delivery.endpoint_id', '=', endpointId)
    .where('webhook_event.type', 'in', [...types])
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Locks a delivery, unless its endpoint was deleted. */
export const lockDelivery = (db: Tx, id: string) =>
  shown(db)
    .innerJoin('webhook_endpoint', 'webhook_endpoint.id', 'webhook_delivery.endpoint_id')
    .where('webhook_delivery.id', '=', id)
    .where('webhook_endpoint.deleted_at', 'is', null)
    .forUpdate('webhook_delivery')
    .executeTakeFirst()

export async function renewDelivery(db: Tx, id: string): Promise<void> {
  await db.updateTable('webhook_delivery').set(restarted).where('id', '=', id).execute()
}

export async function renewFailed(db: Tx, endpointId: string, since: string): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('webhook_delivery')
    .set(restarted)
    .where('endpoint_id', '=', endpointId)
    .where('state', '=', 'failed')
    .where('created_at', '>=', new Date(since))
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}
