import { sql, type Selectable } from 'kysely'
import { DAY, HOUR, MINUTE } from '#contract/durations.ts'
import type { ChosenEventType } from '#contract/webhook-events.ts'
import type { Tx } from '../db/database.ts'
import type { WebhookDisabledFor, WebhookEndpoint } from '../db/rows.ts'
import { ago, fromNow } from '../db/time.ts'

/** More than anybody would count. */
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

/** Without counting what waits for it. */
export const findPlainEndpoint = (db: Tx, id: string): Promise<WebhookRow | undefined> =>
  living(db).selectAll().where('id', '=', id).executeTakeFirst()

export const findEndpoint = (db: Tx, id: string) => counted(db).where('id', '=', id).executeTakeFirst()

/** Not held up by, and not holding up, events that are written for it. */
export const lockEndpoint = (db: Tx, id: string): Promise<WebhookRow | undefined> =>
  living(db).selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

/** As `lockEndpoint`, and once every event that is being written for it is there. What begins to be written waits. */
export async function lockEndpointAfterEvents(db: Tx, id: string): Promise<void> {
  await living(db).select('id').where('id', '=', id).forUpdate().execute()
}

/** Two who add at once wait for one another, so that there are never more than there may be. */
export async function lockAndCountEndpoints(db: Tx): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtext('webhook endpoints'))`.execute(db)
  const { count } = await living(db)
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

type Settings = { url: string; description: string; events: readonly ChosenEventType[] }

export async function insertEndpoint(
  db: Tx,
  {
    id,
    url,
    description,
    events,
    sealedSecret,
    isSecretOfFinance,
    by,
  }: Settings & { id: string; sealedSecret: Buffer; isSecretOfFinance: boolean; by: string },
): Promise<void> {
  await db
    .insertInto('webhook_endpoint')
    .values({
      id,
      url,
      description,
      event_types: [...events],
      sealed_secret: sealedSecret,
      secret_of_finance: isSecretOfFinance,
      created_by: by,
    })
    .execute()
}

export async function updateEndpoint(db: Tx, id: string, change: Partial<Settings>): Promise<void> {
  const { url, description, events } = change
  await db
    .updateTable('webhook_endpoint')
    .set({
      ...(url !== undefined && { url }),
      ...(description !== undefined && { description }),
      ...(events && { event_types: [...events] }),
      updated_at: changedNow,
    })
    .where('id', '=', id)
    .execute()
}

export async function replaceSecret(
  db: Tx,
  id: string,
  { sealed, isOfFinance, overlap }: { sealed: Buffer; isOfFinance: boolean; overlap: number },
): Promise<void> {
  await db
    .updateTable('webhook_endpoint')
    .set({
      sealed_former_secret: overlap > 0 ? sql<Buffer>`sealed_secret` : null,
      former_secret_until: overlap > 0 ? fromNow(overlap) : null,
      former_secret_of_finance: sql<boolean>`secret_of_finance`,
      sealed_secret: sealed,
      secret_of_finance: isOfFinance,
      updated_at: changedNow,
    })
    .where('id', '=', id)
    .execute()
}

export async function setEndpointState(db: Tx, id: string, state: 'active' | 'paused'): Promise<void> {
  await db
    .updateTable('webhook_endpoint')
    .set({
      state,
      paused_at: state === 'paused' ? now : null,
      disabled_for: null,
      disabled_at: null,
      failing_since: null,
      updated_at: changedNow,
    })
    .where('id', '=', id)
    .execute()
}

/** Answers whether it was active until now. */
export async function disableEndpoint(db: Tx, id: string, why: WebhookDisabledFor): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('webhook_endpoint')
    .set({ state: 'disabled', disabled_for: why, disabled_at: now, updated_at: changedNow })
    .where('id', '=', id)
    .where('state', '=', 'active')
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Its row stays for a while: an event that is being written may refer to it. */
export async function markEndpointDeleted(db: Tx, id: string): Promise<void> {
  await db
    .updateTable('webhook_endpoint')
    .set({ deleted_at: now, sealed_secret: null, sealed_former_secret: null, former_secret_until: null })
    .where('id', '=', id)
    .execute()
}

/** Written once a minute at most: everything that is delivered would wait for this row. */
export async function noteDelivered(db: Tx, id: string): Promise<void> {
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

export async function noteFailing(db: Tx, id: string): Promise<void> {
  await db
    .updateTable('webhook_endpoint')
    .set({ failing_since: now })
    .where('id', '=', id)
    .where('failing_since', 'is', null)
    .execute()
}

export async function isFailingFor(db: Tx, id: string, time: number): Promise<boolean> {
  const row = await living(db)
    .select('id')
    .where('id', '=', id)
    .where('failing_since', '<', ago(time))
    .executeTakeFirst()
  return row !== undefined
}

/** With what there still was of them. A secret that no longer signs goes as well. */
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
  failing: number
  paused: number
  waiting: number
  oldest: Date | null
  failed: number
}

/** Of those that are not paused. `failed`: within a week; `failing`: for longer than `patience`; `paused`: than `pausePatience`. */
export async function readWebhookStanding(
  db: Tx,
  { patience, pausePatience }: { patience: number; pausePatience: number },
): Promise<WebhookStanding> {
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
      (select count(*)::int from endpoint where state = 'active' and failing_since < ${ago(patience)}) as failing,
      (select count(*)::int from endpoint where state = 'paused' and coalesce(paused_at, updated_at) < ${ago(pausePatience)}) as paused,
      (select count(*)::int from waiting) as waiting,
      (select min(created_at) from waiting) as oldest,
      (select count(*)::int from failed) as failed`.execute(db)
  return rows[0]!
}
