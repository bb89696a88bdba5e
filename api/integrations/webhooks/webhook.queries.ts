import { sql, type Insertable, type Selectable, type UpdateObject } from 'kysely'
import { DAY, HOUR, MINUTE } from '#contract/platform/durations.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { DB, WebhookDisabledFor, WebhookEndpoint } from '../../platform/db/rows.ts'
import { ago, fromNow } from '../../platform/db/expressions.ts'

/** Counting stops at this number. */
const countMax = 10_000
const now = sql<Date>`now()`
const changedNow = sql<Date>`greatest(now(), updated_at + interval '1 millisecond')`

export type WebhookRow = Selectable<WebhookEndpoint>

const living = (db: Tx) => db.selectFrom('webhook_endpoint').where('deleted_at', 'is', null)

const countOf = (state: 'waiting' | 'failed') => sql<number>`(
  select count(*)::int from (
    select from webhook_delivery d where d.endpoint_id = webhook_endpoint.id and d.state = ${sql.lit(state)} limit ${countMax}) found)`

const counted = (db: Tx) =>
  living(db)
    .selectAll()
    .select([countOf('waiting').as('waiting'), countOf('failed').as('failed')])
export type CountedWebhook = Awaited<ReturnType<typeof listEndpoints>>[number]

export const listEndpoints = (db: Tx) => counted(db).orderBy('created_at').orderBy('id').execute()

export const findEndpoint = (db: Tx, id: string) => counted(db).where('id', '=', id).executeTakeFirst()

/** Locks an endpoint. The lock doesn't block events being written for it and isn't blocked by them. */
export const lockEndpoint = (db: Tx, id: string): Promise<WebhookRow | undefined> =>
  living(db).selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

/** Like `lockEndpoint`, after all events being written for it are visible. New ones wait. */
export async function lockEndpointAfterEvents(db: Tx, id: string): Promise<void> {
  await living(db).select('id').where('id', '=', id).forUpdate().execute()
}

/** Serializes concurrent additions, so that they can't exceed the maximum. */
export async function lockAndCountEndpoints(db: Tx): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtext('webhook endpoints'))`.execute(db)
  const { count } = await living(db)
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function insertEndpoint(db: Tx, values: Insertable<WebhookEndpoint>): Promise<void> {
  await db.insertInto('webhook_endpoint').values(values).execute()
}

export async function updateEndpoint(
  db: Tx,
  id: string,
  change: UpdateObject<DB, 'webhook_endpoint'>,
): Promise<void> {
  await db
    .updateTable('webhook_endpoint')
    .set({ ...change, updated_at: changedNow })
    .where('id', '=', id)
    .execute()
}

export const replaceSecret = (
  db: Tx,
  id: string,
  { sealed, isOfFinance, overlap }: { sealed: Buffer; isOfFinance: boolean; overlap: number },
): Promise<void> =>
  updateEndpoint(db, id, {
    sealed_former_secret: overlap > 0 ? sql<Buffer>`sealed_secret` : null,
    former_secret_until: overlap > 0 ? fromNow(overlap) : null,
    former_secret_of_finance: sql<boolean>`secret_of_finance`,
    sealed_secret: sealed,
    secret_of_finance: isOfFinance,
  })

export const setEndpointState = (db: Tx, id: string, state: 'active' | 'paused'): Promise<void> =>
  updateEndpoint(db, id, {
    state,
    paused_at: state === 'paused' ? now : null,
    disabled_for: null,
    disabled_at: null,
    failing_since: null,
  })

/** Marks an endpoint as deleted. Its row is kept for a while, because an event being written may refer to it. */
export const markEndpointDeleted = (db: Tx, id: string): Promise<void> =>
  updateEndpoint(db, id, {
    deleted_at: now,
    sealed_secret: null,
    sealed_former_secret: null,
    former_secret_until: null,
  })

/**
 * Disables an active endpoint, with `failingFor` only if it has been failing for at least that many milliseconds.
 * Returns its address if it was disabled.
 */
export async function disableEndpoint(
  db: Tx,
  id: string,
  why: WebhookDisabledFor,
  failingFor?: number,
): Promise<string | undefined> {
  const disabled = await db
    .updateTable('webhook_endpoint')
    .set({ state: 'disabled', disabled_for: why, disabled_at: now, updated_at: changedNow })
    .where('id', '=', id)
    .where('state', '=', 'active')
    .where('deleted_at', 'is', null)
    .$if(failingFor !== undefined, (query) => query.where('failing_since', '<=', ago(failingFor!)))
    .returning('url')
    .executeTakeFirst()
  return disabled?.url
}

/** Records a delivery at most once a minute, because all deliveries would wait for this row. */
export async function recordDelivered(db: Tx, id: string): Promise<void> {
  await db
    .updateTable('webhook_endpoint')
    .set({ failing_since: null, last_delivered_at: now })
    .where('id', '=', id)
    .where((where) =>
      where.or([
        where('failing_since', 'is not', null),
        where('last_delivered_at', 'is', null),
        where('last_delivered_at', '<', ago(MINUTE)),
      ]),
    )
    .execute()
}

export async function recordFailing(db: Tx, id: string): Promise<void> {
  await db
    .updateTable('webhook_endpoint')
    .set({ failing_since: now })
    .where('id', '=', id)
    .where('failing_since', 'is', null)
    .execute()
}

/** Deletes old deleted endpoints with their remaining deliveries, and secrets that no longer sign. */
export async function deleteDeletedEndpoints(db: Tx): Promise<void> {
  await db.deleteFrom('webhook_endpoint').where('deleted_at', '<', ago(HOUR)).execute()
  await db
    .updateTable('webhook_endpoint')
    .set({ sealed_former_secret: null, former_secret_until: null })
    .where('former_secret_until', '<', now)
    .execute()
}

export type WebhookStanding = {
  endpoints: number
  disabled: number
  /** Endpoints that have been failing for longer than a receiver's restart takes. */
  failing: number
  /** Endpoints that have been paused for longer than repairs take. */
  paused: number
  /** Deliveries of active endpoints. */
  waiting: number
  oldest: Date | null
  /** Deliveries that failed within a week. */
  failed: number
}

/** Delay of deliveries that is tolerated, in milliseconds. */
export const deliveryPatience = HOUR

export async function readWebhookStanding(db: Tx): Promise<WebhookStanding> {
  const { rows } = await sql<WebhookStanding>`
    with endpoint as (select * from webhook_endpoint where deleted_at is null),
    waiting as (
      select d.created_at from endpoint join webhook_delivery d on d.endpoint_id = endpoint.id and d.state = 'waiting'
      where endpoint.state = 'active' limit ${countMax}),
    failed as (
      select from endpoint join webhook_delivery d on d.endpoint_id = endpoint.id and d.state = 'failed'
      where d.created_at > ${ago(7 * DAY)} limit ${countMax})
    select (select count(*)::int from endpoint) as endpoints,
      (select count(*)::int from endpoint where state = 'disabled') as disabled,
      (select count(*)::int from endpoint where state = 'active' and failing_since < ${ago(deliveryPatience)}) as failing,
      (select count(*)::int from endpoint where state = 'paused' and coalesce(paused_at, updated_at) < ${ago(DAY)}) as paused,
      (select count(*)::int from waiting) as waiting,
      (select min(created_at) from waiting) as oldest,
      (select count(*)::int from failed) as failed`.execute(db)
  return rows[0]!
}
