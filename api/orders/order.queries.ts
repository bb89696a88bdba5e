import { sql, type RawBuilder, type Selectable } from 'kysely'
import type { OrderState } from '#contract/orders.ts'
import type { PayChain } from '#contract/sale.ts'
import { readPage, type Page } from '../db/read-page.ts'
import { columnsOf } from '../db/columns-of.ts'
import { isRefusedByIndex, type Tx } from '../db/database.ts'
import type { DB } from '../db/rows.ts'
import { isSameEthAddress } from '../db/same-eth-address.ts'
import { fromNow } from '../db/time.ts'
import { Owned } from '../http/owned.ts'
import { erasedMembers } from '../members/member.queries.ts'
import { isPayable } from './payable.ts'
import { transactionKey } from './transaction-key.ts'

export type OrderFilter = {
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

/** The first of the two who complete a large order, or correct a completed one as `correction` says. */
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
 * A transaction is compared by its key: whoever writes the one writes the other. A payment waits since it was first known;
 * whoever is unpaid again has a new deadline instead.
 */
const columnsFor = (change: OrderChange, since: RawBuilder<Date>) => ({
  ...columnsOf(orderColumns, change),
  ...(change.txId !== undefined && { tx_key: transactionKey(change.txId), payment_dropped_at: null }),
  ...((change.txId || Number(change.paidAmount ?? 0) > 0 || change.paidAt) && { reported_at: since }),
})

/**
 * `is_overdue` by the time when the transaction began: a report that arrived in time may wait for the lock. What cannot be
 * paid is never due.
 */
export const lockOrder = (db: Tx, id: string) =>
  db
    .selectFrom('token_order')
    .selectAll()
    .select(sql<boolean>`coalesce(pay_before <= now(), false)`.as('is_overdue'))
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

/** The transaction that a pending order names, and since when, unless it is known to be gone. */
export const findReported = (db: Tx, id: string) =>
  db
    .selectFrom('token_order')
    .select(['tx_id', 'reported_at'])
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .where('tx_id', '!=', '')
    .where('payment_dropped_at', 'is', null)
    .executeTakeFirst()

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

/** For staff: reaches every order. */
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
 * `payTime` in milliseconds is how long its payment may take. Where `waits` says so, the time begins once there is an address and
 * an amount to pay.
 */
export const insertOrder = (db: Tx, memberId: string, change: OrderChange, payTime?: number, waits = false) =>
  db
    .insertInto('token_order')
    .values({
      ...columnsFor(change, sql<Date>`now()`),
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

/** A proposal is for the order as it was: whatever changes the order ends it. */
export const noProposal = {
  completion_proposed_by: null,
  completion_proposed_at: null,
  completion_reason: '',
  proposed_correction: null,
}

export const updateOrderRow = (db: Tx, id: string, change: OrderChange, proposal?: Proposal) =>
  db
    .updateTable('token_order')
    // Two changes in one millisecond must have different times, because conflicts are detected by the time.
    .set({
      ...columnsFor(change, sql<Date>`coalesce(reported_at, now())`),
      ...(proposal
        ? {
            completion_proposed_by: proposal.by,
            completion_proposed_at: sql<Date>`now()`,
            completion_reason: proposal.reason,
            proposed_correction: proposal.correction ? JSON.stringify(proposal.correction) : null,
          }
        : noProposal),
      updated_at: sql<Date>`greatest(now(), updated_at + interval '1 millisecond')`,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

/**
 * The other orders that have the transaction, and the closed ones that ever had it: cancelled ones were perhaps refunded. And those,
 * this one among them, where finance took it away: it was perhaps refunded there as well.
 */
export const listOrdersWithTransaction = async (
  db: Tx,
  txId: string,
  orderId: string | null,
): Promise<string[]> => {
  const key = transactionKey(txId)
  if (key === '') return []
  const { rows } = await sql<{ id: string }>`
    select id from token_order
    where id in (
      select id from token_order where tx_key = ${key} and tx_key <> '' and id is distinct from ${orderId}
      union select order_id from order_step join token_order of_step on of_step.id = order_id
      where order_step.tx_key = ${key} and order_step.tx_key <> ''
        and (kind = 'transaction_taken'
          or (kind <> 'disputed' and of_step.status <> 'pending' and order_id is distinct from ${orderId})))
    order by created_at`.execute(db)
  return rows.map(({ id }) => id)
}

/** Where it is paid, as it is placed or given another payment method: no change of its own. */
export const setReceivingAddress = (db: Tx, id: string, address: string) =>
  db
    .updateTable('token_order')
    .set({ receiving_address: address })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

/** The unique index decides between orders that name one transaction at the same time. */
export const isRefusedByTransaction = (error: unknown): boolean =>
  isRefusedByIndex(error, 'token_order_by_transaction')

/** Deletes retained orders whose members were erased more than `age` milliseconds ago. */
export async function deleteOrdersOfErased(db: Tx, age: number): Promise<void> {
  await db.deleteFrom('token_order').where('member_id', 'in', erasedMembers(db, age)).execute()
}

/** Where a member's newest orders are paid, those first that wait for a payment. */
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
