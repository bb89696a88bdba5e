import { sql, type RawBuilder, type Selectable, type SqlBool } from 'kysely'
import { deliveries, type DeliveryFilters } from '#contract/money/console-deliveries.ts'
import type { Tx } from '../../platform/db/database.ts'
import { endOfUtcDay, startOfUtcDay } from '../../platform/db/expressions.ts'
import { readList } from '../../platform/db/read-list.ts'
import { readPage, type Page } from '../../platform/db/read-page.ts'
import type { DB } from '../../platform/db/rows.ts'
import { Owned } from '../../platform/http/owned.ts'
import { beginningOf } from '../../platform/text/order-reference.ts'
import {
  deliveryState,
  holdReason,
  isHeldBy,
  isInState,
  isOpen,
  isRefunded,
  isTakenBack,
  roundOfOrder,
} from './delivery-state.queries.ts'

export type DeliveryRow = Selectable<DB['delivery']>
export type DeliveredOrder = Selectable<DB['token_order']>

export const findOrderToDeliver = async (db: Tx, id: string) =>
  new Owned(await db.selectFrom('token_order').selectAll().where('id', '=', id).executeTakeFirst())

/** Selects deliveries with their state, the payout run that they are in, and the address as frozen. */
const selected = (db: Tx) =>
  db
    .selectFrom('delivery')
    .innerJoin('token_order', 'token_order.id', 'delivery.order_id')
    .leftJoin('payout_item', (join) =>
      join.onRef('payout_item.delivery_id', '=', 'delivery.id').on('payout_item.is_live', '=', true),
    )
    .leftJoin('payout_run', 'payout_run.id', 'payout_item.run_id')
    .selectAll('delivery')
    .select([
      'token_order.reference as order_reference',
      'token_order.member_id',
      'payout_item.run_id',
      'payout_item.tx_id',
      'payout_item.sent_at',
      'payout_item.confirmed_at',
      'payout_run.number as run_number',
    ])
    .select([
      deliveryState.as('state'),
      holdReason.as('hold'),
      sql<string>`coalesce(payout_item.address, token_order.fab_address)`.as('address'),
    ])

export type ShownDelivery = Awaited<ReturnType<typeof listDeliveriesOfOrder>>[number]

export const listDeliveriesOfOrder = (db: Tx, orderId: string) =>
  selected(db)
    .where('delivery.order_id', '=', orderId)
    .orderBy('delivery.due_at')
    .orderBy('delivery.tranche')
    .orderBy('delivery.created_at')
    .execute()

export const listDeliveriesOfMember = (db: Tx, memberId: string, page: Page) =>
  readPage(selected(db).where('token_order.member_id', '=', memberId), page, {
    at: 'delivery.due_at',
    id: 'delivery.id',
  })

const withMember = (db: Tx) =>
  selected(db)
    .leftJoin('sale_round', (join) => join.on('sale_round.id', '=', roundOfOrder))
    .select(
      sql<string | null>`(select member.email from member where member.id = token_order.member_id)`.as(
        'member_email',
      ),
    )
    .select(['sale_round.id as round_id', 'sale_round.name_en as round_en', 'sale_round.name_cn as round_cn'])

export type ListedDelivery = Awaited<ReturnType<typeof listDeliveryRows>>['rows'][number]

export const findListedDelivery = (db: Tx, id: string) =>
  withMember(db).where('delivery.id', '=', id).executeTakeFirst()

/** Whether a delivery is due on the day, in UTC, or after it. */
export const isDueFrom = (day: string) => sql<SqlBool>`delivery.due_at >= ${startOfUtcDay(day)}`
export const isDueUntil = (day: string) => sql<SqlBool>`delivery.due_at < ${endOfUtcDay(day)}`

/** Lists deliveries of any member, for staff. */
export const listDeliveryRows = (db: Tx, filters: DeliveryFilters, page: Page) =>
  readList(
    deliveries,
    {
      rows: withMember(db),
      where: {
        q: (rows, q) => rows.where(isFoundBy(q)),
        state: (rows, state) => rows.where(isInState(state)),
        hold: (rows, hold) => rows.where(isHeldBy(hold)),
        round: (rows, round) => rows.where(sql<SqlBool>`${roundOfOrder} = ${round}`),
        from: (rows, from) => rows.where(isDueFrom(from)),
        to: (rows, to) => rows.where(isDueUntil(to)),
        run: (rows, run) => rows.where('payout_item.run_id', '=', run),
        ids: (rows, ids) => rows.where('delivery.id', 'in', ids.split(',')),
      },
      sortBy: { due: 'delivery.due_at' },
      id: 'delivery.id',
    },
    filters,
    page,
  )

/** By the reference of a delivery, the beginning of that of an order, or a member's email address. */
export function isFoundBy(text: string) {
  const q = text.trim()
  const beginning = `${beginningOf(q) ?? '-'}%`
  return sql<boolean>`delivery.id = any(array(
    select d.id from delivery d where d.reference = ${q.toUpperCase()}
    union select d.id from delivery d join token_order o on o.id = d.order_id
      join member m on m.id = o.member_id where m.email = ${q.toLowerCase()}
    union select d.id from delivery d join token_order o on o.id = d.order_id
      where o.reference like ${beginning}))`
}

type NewDelivery = { tranche: number; amount: string; dueAt: Date }

/** Inserts deliveries of an order in one statement and returns their IDs. */
export const insertDeliveries = async (
  db: Tx,
  orderId: string,
  parts: readonly NewDelivery[],
): Promise<string[]> =>
  (
    await db
      .insertInto('delivery')
      .values(parts.map(({ dueAt, ...part }) => ({ order_id: orderId, ...part, due_at: dueAt })))
      .returning('id')
      .execute()
  ).map(({ id }) => id)

/** Locks the deliveries of a locked order that were not canceled. */
export const lockStandingDeliveries = (db: Tx, orderId: string): Promise<DeliveryRow[]> =>
  db
    .selectFrom('delivery')
    .selectAll()
    .where('order_id', '=', orderId)
    .where('cancelled_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()

/** Sums the tokens of an order that are in payout runs, or were sent by them. */
export const sumInRuns = async (db: Tx, orderId: string): Promise<string> =>
  (
    await db
      .selectFrom('delivery')
      .select(sql<string>`coalesce(sum(amount), 0)::text`.as('sum'))
      .where('order_id', '=', orderId)
      .where('is_in_run', '=', true)
      .executeTakeFirstOrThrow()
  ).sum

/** Finds what is due first of an order, unless everything is due already. */
export async function findFirstLater(
  db: Tx,
  orderId: string,
): Promise<{ amount: string; due_at: Date } | undefined> {
  const { rows } = await sql<{ amount: string; due_at: Date; is_all: boolean }>`
    select sum(amount)::text as amount, due_at, count(*) over () = 1 and due_at <= now() as is_all
    from delivery where order_id = ${orderId} and cancelled_at is null
    group by due_at order by due_at limit 1`.execute(db)
  return rows.find(({ is_all: isAll }) => !isAll)
}

/** Lists deliveries with what an event says about them. */
export const listChangedDeliveries = async (db: Tx, ids: readonly string[]) =>
  ids.length === 0
    ? []
    : db
        .selectFrom('delivery')
        .innerJoin('token_order', 'token_order.id', 'delivery.order_id')
        .leftJoin('payout_item', (join) =>
          join.onRef('payout_item.delivery_id', '=', 'delivery.id').on('payout_item.is_live', '=', true),
        )
        .select(['delivery.id', 'delivery.order_id', 'delivery.amount', 'delivery.due_at'])
        .select(['token_order.member_id', 'payout_item.run_id', 'payout_item.tx_id'])
        .where('delivery.id', 'in', ids)
        .orderBy('delivery.id')
        .execute()

export const listOrdersOfDeliveries = async (db: Tx, ids: readonly string[]): Promise<string[]> =>
  ids.length === 0
    ? []
    : (await db.selectFrom('delivery').select('order_id').distinct().where('id', 'in', ids).execute()).map(
        ({ order_id }) => order_id,
      )

const later = sql<Date>`greatest(now(), updated_at + interval '1 millisecond')`

export const cancelDeliveries = (db: Tx, ids: readonly string[], cause: 'refunded' | 'corrected') =>
  db
    .updateTable('delivery')
    .set({ cancelled_at: sql<Date>`now()`, cancel_cause: cause, updated_at: later })
    .where('id', 'in', ids)
    .execute()

/** Writes an amount for each of the deliveries in one statement. */
export async function writeAmounts(
  db: Tx,
  changes: readonly { id: string; amount: string }[],
): Promise<void> {
  if (changes.length === 0) return
  const [ids, amounts] = [changes.map(({ id }) => id), changes.map(({ amount }) => amount)]
  await sql`update delivery set amount = given.amount, updated_at = ${later}
    from unnest(${ids}::text[], ${amounts}::numeric[]) as given (id, amount)
    where delivery.id = given.id`.execute(db)
}

/** Moves the due time of an open delivery to a later one. Returns whether it did. */
export const postponeDelivery = async (db: Tx, id: string, until: Date): Promise<boolean> =>
  (await db
    .updateTable('delivery')
    .set({ due_at: until, updated_at: later })
    .where('id', '=', id)
    .where(isOpen)
    .where('due_at', '<', until)
    .returning('id')
    .executeTakeFirst()) !== undefined

export const writeHold = (db: Tx, ids: readonly string[], reason: string) =>
  db
    .updateTable('delivery')
    .set({ held_at: sql<Date>`now()`, hold_reason: reason, updated_at: later })
    .where(sql<SqlBool>`id = any(${ids}::text[])`)
    .execute()

export const writeRelease = (db: Tx, id: string) =>
  db
    .updateTable('delivery')
    .set({ held_at: null, hold_reason: '', released_at: sql<Date>`now()`, updated_at: later })
    .where('id', '=', id)
    .execute()

const isOrder = async (db: Tx, id: string, condition: RawBuilder<SqlBool>): Promise<boolean> =>
  (await db
    .selectFrom('token_order')
    .select('id')
    .where('id', '=', id)
    .where(condition)
    .executeTakeFirst()) !== undefined

export const isOrderRefunded = (db: Tx, id: string): Promise<boolean> => isOrder(db, id, isRefunded)
export const isOrderTakenBack = (db: Tx, id: string): Promise<boolean> => isOrder(db, id, isTakenBack)

const exists = (condition: RawBuilder<SqlBool>) =>
  sql<SqlBool>`exists (select from delivery where delivery.order_id = token_order.id and ${condition})`

const hasStanding = exists(sql`delivery.cancelled_at is null`)

/** Whether the order has a delivery that was not canceled. */
export const hasDeliveries = (db: Tx, orderId: string): Promise<boolean> => isOrder(db, orderId, hasStanding)

export type OrderToSplit = Awaited<ReturnType<typeof readOrderToSplit>>

/** Reads what the deliveries of an order depend on: its plan, and the times from which parts are due. */
export const readOrderToSplit = (db: Tx, id: string) =>
  db
    .selectFrom('token_order')
    .select(['id', 'status', 'fab_qty', 'vesting'])
    .select([
      isRefunded.as('is_refunded'),
      hasStanding.as('has_deliveries'),
      sql<Date>`coalesce((select max(at) from order_step step where step.order_id = token_order.id
        and step.kind = 'completed'), now())::timestamptz(3)`.as('completed_at'),
      sql<Date | null>`(select until_at from withdrawal_period period where period.order_id = token_order.id)`.as(
        'withdrawable_until',
      ),
    ])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

/**
 * Whether the member can set or change the address. A new one would have the tokens of a refunded order sent, and does
 * not change what is in a payout run.
 */
export const canChangeAddress = (db: Tx, { id }: Pick<DeliveredOrder, 'id'>): Promise<boolean> =>
  isOrder(
    db,
    id,
    sql`token_order.status <> 'cancelled'
      and not exists (select from order_withdrawal withdrawn where withdrawn.order_id = token_order.id
        and withdrawn.state in ('requested', 'accepted', 'refunded'))
      and (token_order.status = 'pending' or token_order.fab_address = '' or ${exists(isOpen)})`,
  )
