import { sql, type RawBuilder, type Selectable, type SqlBool } from 'kysely'
import { deliveries, type DeliveryFilters } from '#contract/money/console-deliveries.ts'
import { DAY } from '#contract/platform/durations.ts'
import type { Tx } from '../../platform/db/database.ts'
import { readList } from '../../platform/db/read-list.ts'
import { readPage, type Page } from '../../platform/db/read-page.ts'
import type { DB } from '../../platform/db/rows.ts'
import { Owned } from '../../platform/http/owned.ts'
import { beginningOf } from '../../platform/text/order-reference.ts'
import {
  deliveryState,
  holdReason,
  isInState,
  isOpen,
  isRefunded,
  isTakenBack,
} from './delivery-state.queries.ts'

export type DeliveryRow = Selectable<DB['delivery']>
export type DeliveredOrder = Selectable<DB['token_order']>

const orders = (db: Tx, id: string) => db.selectFrom('token_order').selectAll().where('id', '=', id)

export const findOrderToDeliver = async (db: Tx, id: string) =>
  new Owned(await orders(db, id).executeTakeFirst())

export const readOrderToDeliver = (db: Tx, id: string): Promise<DeliveredOrder> =>
  orders(db, id).executeTakeFirstOrThrow()

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
  selected(db).select(
    sql<string | null>`(select member.email from member where member.id = token_order.member_id)`.as(
      'member_email',
    ),
  )

export type ListedDelivery = Awaited<ReturnType<typeof listDeliveryRows>>['rows'][number]

export const findListedDelivery = (db: Tx, id: string) =>
  withMember(db).where('delivery.id', '=', id).executeTakeFirst()

const startOf = (day: string): Date => new Date(`${day}T00:00:00Z`)

/** Whether a delivery is due on the day, in UTC, or after it. */
export const isDueFrom = (day: string) => sql<SqlBool>`delivery.due_at >= ${startOf(day)}`
export const isDueUntil = (day: string) =>
  sql<SqlBool>`delivery.due_at < ${new Date(startOf(day).getTime() + DAY)}`

/** Lists deliveries of any member, for staff. */
export const listDeliveryRows = (db: Tx, filters: DeliveryFilters, page: Page) =>
  readList(
    deliveries,
    {
      rows: withMember(db),
      where: {
        q: (rows, q) => rows.where(isFoundBy(q)),
        state: (rows, state) => rows.where(isInState(state)),
        hold: (rows, hold) => rows.where(isOpen).where(sql<boolean>`${holdReason} = ${hold}`),
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

type NewDelivery = { orderId: string; tranche: number; amount: string; dueAt: Date }

/** Inserts a delivery and returns its ID, unless the order has one with this number. */
export const insertDelivery = async (
  db: Tx,
  { orderId, tranche, amount, dueAt }: NewDelivery,
): Promise<string | undefined> =>
  (
    await db
      .insertInto('delivery')
      .values({ order_id: orderId, tranche, amount, due_at: dueAt })
      .onConflict((conflict) =>
        conflict.columns(['order_id', 'tranche']).where('cancelled_at', 'is', null).doNothing(),
      )
      .returning('id')
      .executeTakeFirst()
  )?.id

/** Locks the deliveries of a locked order that were not canceled. Those that staff hold come first. */
export async function lockStandingDeliveries(db: Tx, orderId: string): Promise<DeliveryRow[]> {
  const rows = await db
    .selectFrom('delivery')
    .selectAll()
    .where('order_id', '=', orderId)
    .where('cancelled_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()
  const rank = ({ held_at: heldAt, tranche }: DeliveryRow) => (heldAt === null ? 1000 : 0) + tranche
  return rows.toSorted((one, other) => rank(one) - rank(other))
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

export const writeAmount = (db: Tx, id: string, amount: string) =>
  db.updateTable('delivery').set({ amount, updated_at: later }).where('id', '=', id).execute()

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

export const writeHold = (db: Tx, id: string, reason: string) =>
  db
    .updateTable('delivery')
    .set({ held_at: sql<Date>`now()`, hold_reason: reason, updated_at: later })
    .where('id', '=', id)
    .execute()

export const writeRelease = (db: Tx, id: string) =>
  db
    .updateTable('delivery')
    .set({ held_at: null, hold_reason: '', released_at: sql<Date>`now()`, updated_at: later })
    .where('id', '=', id)
    .execute()

/** When the tokens of a completed order may first be sent: at its completion, or after the promised withdrawal period. */
export async function findFirstDue(db: Tx, orderId: string): Promise<Date> {
  const { rows } = await sql<{ due: Date }>`select greatest(
    coalesce((select max(at) from order_step where order_id = ${orderId} and kind = 'completed'), now()),
    (select until_at from withdrawal_period where order_id = ${orderId}))::timestamptz(3) as due`.execute(db)
  return rows[0]!.due
}

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

/** Whether the order has a delivery that was not canceled. */
export const hasDeliveries = (db: Tx, orderId: string): Promise<boolean> =>
  isOrder(db, orderId, exists(sql`delivery.cancelled_at is null`))

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
