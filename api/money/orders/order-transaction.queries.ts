import { sql, type SqlBool } from 'kysely'
import { isRefusedByIndex, type Tx } from '../../platform/db/database.ts'
import { orderArrivals } from '../chains/transfer.queries.ts'
import { transactionKey } from './payment.rules.ts'

/**
 * Lists the other orders that have the transaction or at whose own addresses it arrived, and closed orders that ever had
 * it, because a canceled order may have been refunded. Also lists orders from which finance removed the transaction, including this one, because the
 * payment may have been refunded there, and orders that the transaction refunded.
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
          or (kind <> 'disputed' and of_step.status <> 'pending' and order_id is distinct from ${orderId}))
      union select order_id from ${orderArrivals} arrived
      where arrived.tx_key = ${key} and order_id is distinct from ${orderId})
    order by created_at`.execute(db)
  const refunded = (await listOrdersRefundedBy(db, [key])).map(({ id }) => id)
  return [...new Set([...rows.map(({ id }) => id), ...refunded])]
}

/**
 * Whether the chain shows that the transaction pays each of the orders at its own address, and all of them belong to
 * one member. Then no one claims what someone else paid. Orders that were canceled, that it refunded, or from which finance
 * removed it don't count as paid by it.
 */
export async function paysEach(db: Tx, txId: string, orderIds: readonly string[]): Promise<boolean> {
  const key = transactionKey(txId)
  const { rows } = await sql<{ member_id: string }>`
    select member_id from token_order paid where id = any(${orderIds}::text[]) and status <> 'cancelled'
      and exists (select from chain_transfer transfer join chain_address own on own.id = transfer.address_id
        where own.order_id = paid.id and own.address = paid.receiving_address and transfer.gone_at is null
          and transfer.tx_id in (${key}, '0x' || ${key}))
      and not exists (select from order_step taken where taken.order_id = paid.id and taken.tx_key = ${key}
        and taken.kind in ('transaction_taken', 'disputed'))`.execute(db)
  const members = new Set(rows.map(({ member_id }) => member_id))
  return (
    rows.length === orderIds.length &&
    members.size === 1 &&
    (await listOrdersRefundedBy(db, [key])).length === 0
  )
}

/** Whether the unique index rejected the write because a concurrent order has the same transaction. */
export const isRefusedByTransaction = (error: unknown): boolean =>
  isRefusedByIndex(error, 'token_order_by_transaction')

/**
 * The transactions that an order has or had as its payment, or that arrived at its own addresses. Claims rejected as
 * disputed don't count.
 */
const carriedBy = (orderIds: readonly string[]) => sql`
  select order_id, tx_key from order_step
  where order_id = any(${orderIds}) and tx_key <> '' and kind <> 'disputed'
  union select id, tx_key from token_order where id = any(${orderIds}) and tx_key <> ''
  union select order_id, tx_key from ${orderArrivals} arrived where order_id = any(${orderIds})`

/**
 * Query of the orders with a transaction, present or past, of which the officer ever dismissed a statement line that is
 * still dismissed.
 */
export const ordersWithLineDismissedBy = (officerId: string, orderIds: readonly string[]) => sql<{
  order_id: string
}>`
  select carried.order_id from (${carriedBy(orderIds)}) carried join statement_line line on line.tx_key = carried.tx_key
  where line.state = 'dismissed' and line.dismissed_by @> array[${officerId}]`

/**
 * Acquires the locks on the transactions that locked orders have, had, or are about to get. If two concurrent requests
 * complete orders with one transaction, or one of them records it as a refund, the second sees the result of the first.
 */
export async function lockTransactionsOfOrders(
  db: Tx,
  orderIds: readonly string[],
  present: readonly string[],
): Promise<void> {
  const { rows } = await sql<{ tx_key: string }>`${carriedBy(orderIds)}`.execute(db)
  await lockTransactionKeys(db, [...rows.map(({ tx_key }) => tx_key), ...present])
}

/**
 * Acquires locks on transaction keys. To avoid deadlocks, every request locks its orders first, then all of its keys,
 * which are sorted here, and then the rest.
 */
export async function lockTransactionKeys(db: Tx, keys: readonly string[]): Promise<void> {
  const sorted = [...new Set(keys)].filter((key) => key !== '').toSorted()
  await sql`select pg_advisory_xact_lock(hashtextextended('transaction ' || key, 0))
    from unnest(${sorted}::text[]) with ordinality as asked (key, place) order by place`.execute(db)
}

/** Another order that has or had a payment of the order. */
type Sharing = {
  id: string
  other: string
  /**
   * Whether finance confirmed that the payment pays both, or the chain shows that it pays two orders of one member
   * separately, and the other order wasn't refunded since.
   */
  is_confirmed: boolean
  /** Whether the other order was completed, without the chain showing that the transaction paid it separately. */
  is_delivered: boolean
}

/** Whether the chain shows that the transaction pays the order at its own address. */
const paysSeparately = (order: 'own' | 'other') => sql<SqlBool>`exists (
  select from chain_transfer transfer join chain_address paid on paid.id = transfer.address_id
  where paid.order_id = ${sql.ref(`${order}.id`)} and paid.address = ${sql.ref(`${order}.receiving_address`)}
    and transfer.gone_at is null and transfer.tx_id in (found.tx_key, '0x' || found.tx_key))`

/**
 * Lists the other orders that have one of the transactions or at whose own addresses it arrived, closed orders that ever
 * had it, and orders from which finance removed it. If finance removed the transaction from the order itself, it counts only if the order has it
 * again.
 */
async function listSharing(db: Tx, orderIds: readonly string[]): Promise<Sharing[]> {
  const { rows } = await sql<Sharing>`
    with carried as (${carriedBy(orderIds)}),
    found as (
      select carried.order_id, carried.tx_key, other.id as other_id, false as is_taken
      from carried join token_order other on other.tx_key = carried.tx_key and other.tx_key <> ''
      union
      select carried.order_id, carried.tx_key, step.order_id, step.kind = 'transaction_taken'
      from carried
        join order_step step on step.tx_key = carried.tx_key and step.tx_key <> '' and step.kind <> 'disputed'
        join token_order other on other.id = step.order_id
          and (other.status <> 'pending' or step.kind = 'transaction_taken')
      union
      select carried.order_id, carried.tx_key, arrived.order_id, false
      from carried join ${orderArrivals} arrived on arrived.tx_key = carried.tx_key)
    select distinct found.order_id as id, found.other_id as other,
      (found.tx_key = own.tx_key
          and (own.is_tx_shared or (other.tx_key = found.tx_key and other.is_tx_shared))
          or own.member_id = other.member_id and ${paysSeparately('own')} and ${paysSeparately('other')})
        and not exists (select from order_step refunded
          where refunded.order_id = other.id and refunded.kind = 'refunded' and refunded.changes = '[]'
            and not exists (select from order_step confirmed
              where confirmed.order_id in (own.id, other.id) and confirmed.kind = 'transaction_shared'
                and confirmed.id > refunded.id)) as is_confirmed,
      own.id <> other.id and other.status = 'completed'
        and not ${paysSeparately('other')} as is_delivered
    from found
      join token_order own on own.id = found.order_id
      join token_order other on other.id = found.other_id
    where own.id <> other.id or (found.is_taken and found.tx_key = own.tx_key)
    order by 1, 2`.execute(db)
  return rows
}

/**
 * Returns the orders whose payment may have been refunded for another order, together with those other orders. These
 * are orders that have or had a transaction of another order (see `listSharing`), or that refunded another order. A
 * transaction that finance confirmed for both orders doesn't count, unless the other order was refunded afterward.
 */
export async function listContested(
  db: Tx,
  orderIds: readonly string[],
): Promise<{ id: string; other: string }[]> {
  const contested = (await listSharing(db, orderIds)).filter(({ is_confirmed }) => !is_confirmed)
  return [...contested.map(({ id, other }) => ({ id, other })), ...(await listPaidByRefund(db, orderIds))]
}

/**
 * Lists the other orders that have or had the payment of an order, even if finance confirmed that the payment pays both.
 */
export const listSharingPayment = (db: Tx, orderId: string): Promise<Sharing[]> => listSharing(db, [orderId])

/** Returns the orders that have or had a transaction that refunded another order, together with that order. */
export async function listPaidByRefund(
  db: Tx,
  orderIds: readonly string[],
): Promise<{ id: string; other: string }[]> {
  const { rows } = await sql<{ order_id: string; tx_key: string }>`
    select carried.order_id, carried.tx_key
    from (${carriedBy(orderIds)}) carried join token_order own on own.id = carried.order_id
    where not (own.is_tx_shared and carried.tx_key = own.tx_key)`.execute(db)
  const refunds = await listOrdersRefundedBy(
    db,
    rows.map(({ tx_key }) => tx_key),
  )
  return rows.flatMap(({ order_id, tx_key }) =>
    refunds
      .filter(({ id, key }) => key === tx_key && id !== order_id)
      .map(({ id }) => ({ id: order_id, other: id })),
  )
}

/** Lists the orders that were refunded by one of the transactions, each with that transaction's key. */
export async function listOrdersRefundedBy(
  db: Tx,
  keys: readonly string[],
): Promise<{ id: string; key: string }[]> {
  const { rows } = await sql<{ id: string; key: string }>`
    select order_id as id, tx_key as key
    from refund_transaction join order_withdrawal using (order_id)
    where tx_key = any(${keys}::text[])
    order by requested_at`.execute(db)
  return rows
}

/** Remembers that the transaction refunded the order, even if a correction replaces it. */
export async function insertRefundTransaction(db: Tx, orderId: string, txId: string): Promise<void> {
  await db
    .insertInto('refund_transaction')
    .values({ order_id: orderId, tx_key: transactionKey(txId) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Lists all recorded refunds with their transactions, including those that only an order's history has. */
export async function listRefunds(db: Tx): Promise<{ orderId: string; txId: string }[]> {
  const { rows } = await sql<{ orderId: string; txId: string }>`
    with refunded as (select order_id, refund_tx_id from order_withdrawal where refund_tx_id <> '')
    select order_id as "orderId", refund_tx_id as "txId" from refunded
    union
    select order_id, change ->> 'before'
    from refunded join order_step step using (order_id) cross join jsonb_array_elements(step.changes) change
    where step.kind = 'refunded' and change ->> 'field' = 'refundTxId'`.execute(db)
  return rows
}

/**
 * Whether only its member says that the order's transaction pays it: no one recorded a payment, and the chain shows it
 * at none of our addresses. A member can report any transaction, such as the one that sent a refund.
 */
const isOnlyReported = sql<boolean>`(coalesce(token_order.paid_amount, 0) = 0 and token_order.status <> 'completed'
  and exists (select from order_step report where report.order_id = token_order.id
    and report.tx_key = token_order.tx_key and report.by_member_id = token_order.member_id)
  and not exists (select from order_step named where named.order_id = token_order.id
    and named.tx_key = token_order.tx_key and named.kind <> 'disputed'
    and named.by_member_id is distinct from token_order.member_id)
  and not exists (select from chain_transfer transfer
    where transfer.tx_id in (token_order.tx_key, '0x' || token_order.tx_key)))`

/** Lists the orders for which only their members named the transaction. */
export const listOnlyReporting = async (db: Tx, key: string): Promise<string[]> =>
  (
    await db
      .selectFrom('token_order')
      .select('id')
      .where('tx_key', '=', key)
      .where('tx_key', '!=', '')
      .where(isOnlyReported)
      .orderBy('id')
      .execute()
  ).map(({ id }) => id)

/**
 * Whether the transaction is an incoming payment: an order names it, finance recorded it for one, a statement shows it,
 * or the chain shows it at an address that only one order has. Transactions that only a member reported, that finance
 * removed from an order, and lines that finance dismissed don't count.
 */
export async function isIncomingPayment(db: Tx, key: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from token_order where tx_key = ${key} and tx_key <> '' and not ${isOnlyReported})
      or exists (select from order_step step where step.tx_key = ${key} and step.tx_key <> ''
        and step.kind in ('payment_recorded', 'corrected', 'completed', 'cancelled')
        and not exists (select from order_step taken where taken.order_id = step.order_id
          and taken.tx_key = step.tx_key and taken.kind = 'transaction_taken'))
      or exists (select from statement_line line where line.tx_key = ${key} and line.tx_key <> ''
        and line.state <> 'dismissed' and line.problem not in ('returned', 'reversal', 'outgoing', 'refund'))
      or exists (select from chain_transfer transfer join chain_address own on own.id = transfer.address_id
        where own.order_id is not null and transfer.tx_id in (${key}, '0x' || ${key})) as found`.execute(db)
  return rows[0]?.found ?? false
}

/** Version of the rules in `transactionKey`; the default of the column must be the same. */
const version = 1

export const lockOrdersWithOldKeys = (db: Tx, limit: number) =>
  db
    .selectFrom('token_order')
    .select(['id', 'status', 'tx_id', 'is_tx_shared'])
    .where('tx_key_version', '<', version)
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .execute()

/**
 * Returns another order with the same key. The unique index allows only one order per key, apart from orders that share
 * it.
 */
export const findOtherWithKey = (db: Tx, key: string, id: string) =>
  db
    .selectFrom('token_order')
    .select(['id', 'status'])
    .where('tx_key', '=', key)
    .where('is_tx_shared', '=', false)
    .where('id', '!=', id)
    .executeTakeFirst()

/** Lists statement lines of earlier releases, which have no key. */
export const listLinesWithoutKey = (db: Tx, limit: number) =>
  db
    .selectFrom('statement_line')
    .select(['id', 'tx_id'])
    .where('tx_key', 'is', null)
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .execute()

export async function writeKeyOfLine(db: Tx, id: string, key: string): Promise<void> {
  await db.updateTable('statement_line').set({ tx_key: key }).where('id', '=', id).execute()
}

export async function writeTransactionKey(db: Tx, id: string, key: string, isShared: boolean): Promise<void> {
  await db
    .updateTable('token_order')
    .set({ tx_key: key, is_tx_shared: isShared, tx_key_version: version })
    .where('id', '=', id)
    .execute()
}
