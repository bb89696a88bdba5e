import { sql, type Selectable } from 'kysely'
import type { OrderState, OrderStepKind } from '#contract/orders.ts'
import type { PayChain } from '#contract/sale.ts'
import { readPage, type Page } from '../db/read-page.ts'
import { columnsOf } from '../db/columns-of.ts'
import type { Tx } from '../db/database.ts'
import type { DB } from '../db/rows.ts'
import { isSameEthAddress } from '../db/same-eth-address.ts'
import { Owned } from '../http/owned.ts'
import { erasedMembers } from '../members/member.queries.ts'

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
  rate?: string
  payChain?: PayChain | null
  receivingAddress?: string
  txId?: string
}

export type OrderRow = Selectable<DB['token_order']>

const orderColumns = {
  memberId: 'member_id',
  email: 'email',
  ethAddress: 'eth_address',
  btcAddress: 'btc_address',
  fabAddress: 'fab_address',
  payMethod: 'pay_method',
  amount: 'amount',
  fabQty: 'fab_qty',
  status: 'status',
  rate: 'rate',
  payChain: 'pay_chain',
  receivingAddress: 'receiving_address',
  txId: 'tx_id',
} as const satisfies Record<keyof OrderChange | keyof OrderFilter, keyof OrderRow>

export const findOrder = async (db: Tx, id: string) =>
  new Owned(await db.selectFrom('token_order').selectAll().where('id', '=', id).executeTakeFirst())

export const lockOrder = (db: Tx, id: string) =>
  db.selectFrom('token_order').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export const listOrdersOfMember = (db: Tx, memberId: string, filter: OrderFilter, page: Page) =>
  listAnyOrders(db, { ...filter, memberId }, page)

/** For staff: reaches every order. */
export function listAnyOrders(db: Tx, filter: OrderFilter, page: Page) {
  let query = db.selectFrom('token_order').selectAll()
  const { ethAddress, ...exact } = filter
  for (const [column, value] of Object.entries(columnsOf(orderColumns, exact)))
    query = query.where(sql.ref(column), '=', value)
  if (ethAddress !== undefined) query = query.where(isSameEthAddress(ethAddress))
  return readPage(query, page, { at: 'created_at', id: 'id' })
}

export const insertOrder = (db: Tx, memberId: string, change: OrderChange) =>
  db
    .insertInto('token_order')
    .values({ ...columnsOf(orderColumns, change), member_id: memberId })
    .returningAll()
    .executeTakeFirstOrThrow()

export const updateOrderRow = (db: Tx, id: string, change: OrderChange) =>
  db
    .updateTable('token_order')
    .set({ ...columnsOf(orderColumns, change), updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()

/** The placing of an order is recorded in the order itself. */
export async function insertOrderStep(
  db: Tx,
  orderId: string,
  kind: Exclude<OrderStepKind, 'placed'>,
  by: string,
): Promise<void> {
  await db.insertInto('order_step').values({ order_id: orderId, kind, by_member_id: by }).execute()
}

export const listOrderSteps = (db: Tx, orderId: string) =>
  db.selectFrom('order_step').select(['kind', 'at']).where('order_id', '=', orderId).orderBy('id').execute()

/** Deletes retained orders whose members were erased more than `age` milliseconds ago. */
export async function deleteOrdersOfErased(db: Tx, age: number): Promise<void> {
  await db.deleteFrom('token_order').where('member_id', 'in', erasedMembers(db, age)).execute()
}
