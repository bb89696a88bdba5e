import { sql, type Selectable } from 'kysely'
import { deliveries, type DeliveryFilters } from '#contract/money/console-deliveries.ts'
import { DAY } from '#contract/platform/durations.ts'
import type { Tx } from '../../platform/db/database.ts'
import { readList } from '../../platform/db/read-list.ts'
import { readPage, type Page } from '../../platform/db/read-page.ts'
import type { DB } from '../../platform/db/rows.ts'
import { Owned } from '../../platform/http/owned.ts'
import { beginningOf } from '../../platform/text/order-reference.ts'
import { deliveryState, holdReason } from './delivery-state.queries.ts'

export type DeliveryRow = Selectable<DB['delivery']>
export type DeliveredOrder = Selectable<DB['token_order']>

const orders = (db: Tx, id: string) => db.selectFrom('token_order').selectAll().where('id', '=', id)

export const findOrderToDeliver = async (db: Tx, id: string) =>
  new Owned(await orders(db, id).executeTakeFirst())

export const readOrderToDeliver = (db: Tx, id: string): Promise<DeliveredOrder> =>
  orders(db, id).executeTakeFirstOrThrow()

export const lockOrderToDeliver = (db: Tx, id: string): Promise<DeliveredOrder | undefined> =>
  orders(db, id).forUpdate().executeTakeFirst()

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

/** Lists deliveries of any member, for staff. */
export const listDeliveryRows = (db: Tx, filters: DeliveryFilters, page: Page) =>
  readList(
    deliveries,
    {
      rows: withMember(db),
      where: {
        q: (rows, q) => rows.where(isFoundBy(q)),
        state: (rows, state) => rows.where(sql<boolean>`${deliveryState} = ${state}`),
        hold: (rows, hold) =>
          rows.where('delivery.cancelled_at', 'is', null).where(sql<boolean>`${holdReason} = ${hold}`),
        from: (rows, from) => rows.where('delivery.due_at', '>=', startOf(from)),
        to: (rows, to) => rows.where('delivery.due_at', '<', new Date(startOf(to).getTime() + DAY)),
        run: (rows, run) => rows.where('payout_item.run_id', '=', run),
        ids: (rows, ids) => rows.where('delivery.id', 'in', ids),
      },
      sortBy: { due: 'delivery.due_at' },
      id: 'delivery.id',
    },
    filters,
    page,
  )

function isFoundBy(q: string) {
  const beginning = `${beginningOf(q) ?? '-'}%`
  return sql<boolean>`delivery.id = any(array(
    select d.id from delivery d where d.reference = ${q.toUpperCase()}
    union select d.id from delivery d join token_order o on o.id = d.order_id
      join member m on m.id = o.member_id where m.email = ${q.toLowerCase()}
    union select d.id from delivery d join token_order o on o.id = d.order_id
      where o.reference like ${beginning}))`
}

export type NewDelivery = { orderId: string; tranche: number; amount: string; dueAt: Date }

/** Inserts the deliveries that the order does not have yet. */
export const insertDeliveries = async (db: Tx, rows: readonly NewDelivery[]): Promise<DeliveryRow[]> =>
  rows.length === 0
    ? []
    : db
        .insertInto('delivery')
        .values(
          rows.map(({ orderId, tranche, amount, dueAt }) => ({
            order_id: orderId,
            tranche,
            amount,
            due_at: dueAt,
          })),
        )
        .onConflict((conflict) =>
          conflict.columns(['order_id', 'tranche']).where('cancelled_at', 'is', null).doNothing(),
        )
        .returningAll()
        .execute()

/** Lists the deliveries of a locked order that were not canceled, and whether each is in a payout run. */
export async function lockOpenDeliveries(db: Tx, orderId: string) {
  await db
    .selectFrom('delivery')
    .select('id')
    .where('order_id', '=', orderId)
    .orderBy('id')
    .forUpdate()
    .execute()
  // A statement of its own, so that it sees what was frozen while the locks were awaited.
  return db
    .selectFrom('delivery')
    .selectAll()
    .select(
      sql<boolean>`exists (select from payout_item where delivery_id = delivery.id and is_live)`.as(
        'is_in_run',
      ),
    )
    .where('order_id', '=', orderId)
    .where('cancelled_at', 'is', null)
    .execute()
}

const later = sql<Date>`greatest(now(), updated_at + interval '1 millisecond')`

export const cancelDeliveries = (db: Tx, ids: readonly string[], cause: 'refunded' | 'corrected') =>
  db
    .updateTable('delivery')
    .set({ cancelled_at: sql<Date>`now()`, cancel_cause: cause, updated_at: later })
    .where('id', 'in', ids)
    .returningAll()
    .execute()

/** Moves the due time of a locked delivery to a later one. */
export async function postponeDelivery(db: Tx, id: string, until: Date): Promise<void> {
  await db
    .updateTable('delivery')
    .set({ due_at: sql<Date>`greatest(due_at, ${until})`, updated_at: later })
    .where('id', '=', id)
    .execute()
}

export const writeHold = (db: Tx, id: string, by: string, reason: string) =>
  db
    .updateTable('delivery')
    .set({ held_at: sql<Date>`now()`, held_by: by, hold_reason: reason, updated_at: later })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

export const writeRelease = (db: Tx, id: string, by: string) =>
  db
    .updateTable('delivery')
    .set({
      held_at: null,
      held_by: null,
      hold_reason: '',
      released_at: sql<Date>`now()`,
      released_by: by,
      updated_at: later,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

/** The end of the withdrawal period that the order's member was promised, if there is one. */
export const findPromisedUntil = async (db: Tx, orderId: string): Promise<Date | null> =>
  (
    await db
      .selectFrom('withdrawal_period')
      .select('until_at')
      .where('order_id', '=', orderId)
      .executeTakeFirst()
  )?.until_at ?? null

/** Whether the order is being withdrawn or was refunded. */
export const isTakenBack = async (db: Tx, orderId: string): Promise<boolean> =>
  (await db
    .selectFrom('order_withdrawal')
    .select('id')
    .where('order_id', '=', orderId)
    .where('state', 'in', ['requested', 'accepted', 'refunded'])
    .executeTakeFirst()) !== undefined

/** Whether the order ever had deliveries, canceled or not. */
export const hasDeliveries = async (db: Tx, orderId: string): Promise<boolean> =>
  (await db
    .selectFrom('delivery')
    .select('id')
    .where('order_id', '=', orderId)
    .limit(1)
    .executeTakeFirst()) !== undefined

/** When the order was completed, to the time of its last completion. */
export const findCompletedAt = async (db: Tx, orderId: string): Promise<Date | null> =>
  (
    await db
      .selectFrom('order_step')
      .select('at')
      .where('order_id', '=', orderId)
      .where('kind', '=', 'completed')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
  )?.at ?? null

/** Whether the order has a delivery whose address can still change. */
export const hasOpenDelivery = async (db: Tx, orderId: string): Promise<boolean> =>
  (await db
    .selectFrom('delivery')
    .select('id')
    .where('order_id', '=', orderId)
    .where('cancelled_at', 'is', null)
    .where(sql<boolean>`not exists (select from payout_item where delivery_id = delivery.id and is_live)`)
    .limit(1)
    .executeTakeFirst()) !== undefined
