import { sql } from 'kysely'
import { SECOND } from '#contract/durations.ts'
import type { OrderState } from '#contract/orders.ts'
import { isAfter, pageOf, readCursor } from '../db/cursor.ts'
import type { Tx } from '../db/database.ts'

export type OrderFilter = {
  memberId?: string
  email?: string
  ethAddress?: string
  btcAddress?: string
  fabAddress?: string
}

export type OrderChange = {
  memberId?: string
  email?: string
  ethAddress?: string
  btcAddress?: string
  fabAddress?: string
  payMethod?: string
  amount?: string | null
  fabQty?: string | null
  status?: OrderState
}

export const findOrder = (db: Tx, id: string) =>
  db.selectFrom('token_order').selectAll().where('id', '=', id).executeTakeFirst()

export type OrderRow = NonNullable<Awaited<ReturnType<typeof findOrder>>>

export const listOrdersOfMember = (
  db: Tx,
  memberId: string,
  filter: OrderFilter,
  limit: number,
  after: string | undefined,
) => listAnyOrders(db, { ...filter, memberId }, limit, after)

/** For staff: reaches every order. */
export async function listAnyOrders(db: Tx, filter: OrderFilter, limit: number, after: string | undefined) {
  const cursor = readCursor(after)
  let query = db.selectFrom('token_order').selectAll()
  for (const [column, value] of Object.entries(columnsOf(filter)))
    query = query.where(sql.ref(column), '=', value)
  if (cursor) query = query.where(isAfter('created_at', 'id', cursor))
  const rows = await query
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  return pageOf(rows, limit, (row) => row.created_at)
}

export const insertOrder = (db: Tx, memberId: string, change: OrderChange) =>
  db
    .insertInto('token_order')
    .values({ ...columnsOf(change), member_id: memberId })
    .returningAll()
    .executeTakeFirstOrThrow()

export const updateOrderRow = (db: Tx, id: string, change: OrderChange) =>
  db
    .updateTable('token_order')
    .set({ ...columnsOf(change), updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()

/** Ends the keeping of orders whose members were erased more than `age` milliseconds ago. */
export async function deleteOrdersOfErased(db: Tx, age: number): Promise<void> {
  await db
    .deleteFrom('token_order')
    .where('member_id', 'in', (query) =>
      query
        .selectFrom('member')
        .select('id')
        .where('erased_at', '<', sql<Date>`now() - ${age / SECOND} * interval '1 second'`),
    )
    .execute()
}

function columnsOf(change: OrderChange) {
  const columns = {
    member_id: change.memberId,
    email: change.email,
    eth_address: change.ethAddress,
    btc_address: change.btcAddress,
    fab_address: change.fabAddress,
    pay_method: change.payMethod,
    amount: change.amount,
    fab_qty: change.fabQty,
    status: change.status,
  }
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))
}
