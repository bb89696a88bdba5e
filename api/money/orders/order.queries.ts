import { sql, type RawBuilder, type Selectable, type SqlBool } from 'kysely'
import type { OrderState } from '#contract/money/orders.ts'
import type { PayChain } from '#contract/money/sale.ts'
import { readPage, type Page } from '../../platform/db/read-page.ts'
import { columnsOf } from '../../platform/db/columns-of.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { DB } from '../../platform/db/rows.ts'
import { isSameEthAddress, fromNow } from '../../platform/db/expressions.ts'
import { Owned } from '../../platform/http/owned.ts'
import { erasedMembers } from '../../people/members/member.queries.ts'
import { isAtWithdrawnPrice } from '../sale/withdrawn-price.queries.ts'
import { isPayable } from './order.rules.ts'
import { transactionKey } from './payment.rules.ts'

type OrderFilter = {
  memberId?: string
  email?: string
  ethAddress?: string
  btcAddress?: string
  fabAddress?: string
  status?: OrderState
  reportedLate?: boolean
  disputed?: boolean
  txId?: string
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
  rate?: string | null
  baseRate?: string | null
  bonusPercent?: string
  roundId?: string | null
  /** The plan as JSON. Null for all tokens at completion. */
  vesting?: string | null
  payChain?: PayChain | null
  receivingAddress?: string
  txId?: string
  sharesTransaction?: boolean
  reportedLate?: boolean
  disputed?: boolean
  currency?: string | null
  paidAmount?: string | null
  paidAt?: Date | null
}

/** The first approval of a large completion, or of a `correction` to a completed order. */
export type Proposal = { by: string; reason: string; correction?: OrderChange }

export type OrderRow = Selectable<DB['token_order']>

export const orderColumns = {
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
  baseRate: 'base_rate',
  bonusPercent: 'bonus_percent',
  roundId: 'round_id',
  vesting: 'vesting',
  payChain: 'pay_chain',
  receivingAddress: 'receiving_address',
  txId: 'tx_id',
  sharesTransaction: 'is_tx_shared',
  reportedLate: 'is_reported_late',
  disputed: 'is_disputed',
  currency: 'currency',
  paidAmount: 'paid_amount',
  paidAt: 'paid_at',
} as const satisfies Record<keyof OrderChange | keyof OrderFilter, keyof OrderRow>

export const findOrder = async (db: Tx, id: string) =>
  new Owned(await db.selectFrom('token_order').selectAll().where('id', '=', id).executeTakeFirst())

/**
 * A payment waits for finance from the moment it first became known. A late report of a canceled order starts a new
 * wait, because finance resolved the earlier one.
 */
const startsWait = sql<SqlBool>`(status = 'cancelled' and not is_reported_late and not is_disputed)`
export const waiting = {
  reported_at: sql<Date>`case when ${startsWait} then now() else coalesce(reported_at, now()) end`,
  long_wait_told_at: sql<Date | null>`case when not ${startsWait} then long_wait_told_at end`,
}

/** Transactions are compared by key, so both columns are written together. */
const columnsFor = (change: OrderChange, wait: typeof waiting | { reported_at: RawBuilder<Date> }) => ({
  ...columnsOf(orderColumns, change),
  ...(change.txId !== undefined && { tx_key: transactionKey(change.txId), payment_dropped_at: null }),
  ...((change.txId || Number(change.paidAmount ?? 0) > 0 || change.paidAt || change.reportedLate) && wait),
})

/**
 * Locks an order. `is_overdue` uses the start time of the transaction, because a report that arrived in time may wait
 * for the lock. An order that can't be paid is never overdue.
 */
export const lockOrder = (db: Tx, id: string) =>
  db
    .selectFrom('token_order')
    .selectAll()
    .select(sql<boolean>`coalesce(pay_before <= now(), false)`.as('is_overdue'))
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

/** Returns the transaction that a pending order names and when it was reported, unless it is known to be gone. */
export const findReported = (db: Tx, id: string) =>
  db
    .selectFrom('token_order')
    .select(['tx_id', 'reported_at'])
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .where('tx_id', '!=', '')
    .where('payment_dropped_at', 'is', null)
    .executeTakeFirst()

export const isOrderOf = async (db: Tx, memberId: string, id: string): Promise<boolean> =>
  (await db
    .selectFrom('token_order')
    .select('id')
    .where('id', '=', id)
    .where('member_id', '=', memberId)
    .executeTakeFirst()) !== undefined

/** Does not change `updated_at`, on which approvals depend. */
export const assignOrderRow = (db: Tx, id: string, assigneeId: string | null) =>
  db.updateTable('token_order').set({ assignee_id: assigneeId }).where('id', '=', id).execute()

export const unassignOrdersOf = (db: Tx, assigneeId: string) =>
  db.updateTable('token_order').set({ assignee_id: null }).where('assignee_id', '=', assigneeId).execute()

export const lockOrders = (db: Tx, ids: readonly string[]) =>
  db
    .selectFrom('token_order')
    .select(['id', 'status', 'is_disputed', 'tx_key'])
    .where('id', 'in', ids)
    .orderBy('id')
    .forUpdate()
    .execute()

export const listOrdersOfMember = (db: Tx, memberId: string, filter: OrderFilter, page: Page) =>
  listAnyOrders(db, { ...filter, memberId }, page)

/** Lists orders of any member, for staff. */
export function listAnyOrders(db: Tx, filter: OrderFilter, page: Page) {
  let query = db.selectFrom('token_order').selectAll()
  const { ethAddress, txId, ...exact } = filter
  for (const [column, value] of Object.entries(columnsOf(orderColumns, exact)))
    query = query.where(sql.ref(column), '=', value)
  if (ethAddress !== undefined) query = query.where(isSameEthAddress(ethAddress))
  if (txId !== undefined) query = query.where('tx_key', '=', transactionKey(txId))
  return readPage(query, page, { at: 'created_at', id: 'id' })
}

/**
 * Inserts an order. `payTime` is the payment period in milliseconds. If `waits` is true, it starts only once there is
 * an address and an amount to pay.
 */
export const insertOrder = (
  db: Tx,
  memberId: string,
  change: OrderChange,
  { payTime, waits = false }: { payTime?: number | undefined; waits?: boolean } = {},
) =>
  db
    .insertInto('token_order')
    .values({
      ...columnsFor(change, { reported_at: sql<Date>`now()` }),
      member_id: memberId,
      ...(payTime !== undefined &&
        !(waits && !isPayable(neededOf(change))) && { pay_before: fromNow(payTime) }),
    })
    .returningAll()
    .executeTakeFirstOrThrow()

const neededOf = ({ receivingAddress = '', amount = null }: OrderChange) => ({
  receiving_address: receivingAddress,
  amount,
})

const noProposal = {
  completion_proposed_by: null,
  completion_proposed_at: null,
  completion_reason: '',
  completion_seen: null,
  proposed_correction: null,
}

/**
 * Changes an order. A new proposal replaces an open one, and null removes it. Otherwise, an open proposal stays, but no
 * longer counts, because its author saw the order before the change (`isOutdated`). The deadline worker ends it.
 */
export const updateOrderRow = (db: Tx, id: string, change: OrderChange, proposal?: Proposal | null) =>
  db
    .updateTable('token_order')
    // Edit conflicts are detected by time, so two changes in one millisecond need different times.
    .set({
      ...columnsFor(change, waiting),
      ...(proposal === null && noProposal),
      ...(proposal && {
        completion_proposed_by: proposal.by,
        completion_proposed_at: sql<Date>`now()`,
        completion_reason: proposal.reason,
        proposed_correction: proposal.correction ? JSON.stringify(proposal.correction) : null,
      }),
      updated_at: sql<Date>`greatest(now(), updated_at + interval '1 millisecond')`,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

export const getOrderRow = (db: Tx, id: string): Promise<OrderRow> =>
  db.selectFrom('token_order').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** Keeps tokens from being sent to a changed address for some time. A change never shortens an earlier period. */
export const holdNewAddress = (db: Tx, id: string, time: number): Promise<OrderRow> =>
  db
    .updateTable('token_order')
    .set({ address_usable_from: sql<Date>`greatest(address_usable_from, ${fromNow(time)})` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

/**
 * Removes a proposal that no longer counts. This is not a change of the order, so a proposed decision on its withdrawal
 * stays valid.
 */
export const clearProposal = (db: Tx, id: string) =>
  db.updateTable('token_order').set(noProposal).where('id', '=', id).returningAll().executeTakeFirstOrThrow()

/**
 * Sets the receiving address when an order is placed or gets another payment method. This is not a change in its own
 * right.
 */
export const setReceivingAddress = (db: Tx, id: string, address: string) =>
  db
    .updateTable('token_order')
    .set({ receiving_address: address })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

/** Deletes retained orders whose members were erased more than `age` milliseconds ago. */
export async function deleteOrdersOfErased(db: Tx, age: number): Promise<void> {
  await db.deleteFrom('token_order').where('member_id', 'in', erasedMembers(db, age)).execute()
}

/** Lists the receiving addresses of a member's newest orders, orders awaiting payment first. */
export const listReceivingAddresses = (db: Tx, memberId: string) =>
  db
    .selectFrom('token_order')
    .select(['id', 'reference', 'status', 'receiving_address', 'pay_chain'])
    .where('member_id', '=', memberId)
    .where('receiving_address', '<>', '')
    .orderBy(sql`status = 'pending'`, 'desc')
    .orderBy('created_at', 'desc')
    .limit(200)
    .execute()

/** Returns whether the owner's account is closed, and whether the order has a price that was withdrawn. */
export const findOwnerAndPriceState = (
  db: Tx,
  id: string,
): Promise<{ isClosed: SqlBool; isPriceWithdrawn: SqlBool }> =>
  db
    .selectFrom('token_order')
    .innerJoin('member', 'member.id', 'token_order.member_id')
    .select((eb) => eb('member.closed_at', 'is not', null).as('isClosed'))
    .select(isAtWithdrawnPrice.as('isPriceWithdrawn'))
    .where('token_order.id', '=', id)
    .executeTakeFirstOrThrow()

/** Whether the condition holds for the order. */
export const holdsFor = async (db: Tx, orderId: string, condition: RawBuilder<SqlBool>): Promise<boolean> =>
  (await db
    .selectFrom('token_order')
    .select('id')
    .where('id', '=', orderId)
    .where(condition)
    .executeTakeFirst()) !== undefined
