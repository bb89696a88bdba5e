import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import { listOrdersRefundedBy } from './refund-transaction.queries.ts'

/** The transactions that an order has or had as its payment. Claims rejected as disputed don't count. */
const carriedBy = (orderIds: readonly string[]) => sql`
  select order_id, tx_key from order_step
  where order_id = any(${orderIds}) and tx_key <> '' and kind <> 'disputed'
  union select id, tx_key from token_order where id = any(${orderIds}) and tx_key <> ''`

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

/**
 * Returns the orders whose payment may have been refunded for another order, together with those other orders. These
 * are orders that have or had a transaction that another order has, that a closed order ever had, that finance removed
 * from another order, or that refunded another order. If finance removed the transaction from the order itself, it
 * counts only if the order has it again. A transaction that two orders have now doesn't count if finance confirmed that
 * it pays both.
 */
export async function listContested(
  db: Tx,
  orderIds: readonly string[],
): Promise<{ id: string; other: string }[]> {
  const { rows } = await sql<{ id: string; other: string }>`
    with carried as (${carriedBy(orderIds)}),
    found as (
      select carried.order_id, carried.tx_key, other.id as other_id, false as is_taken
      from carried join token_order other on other.tx_key = carried.tx_key and other.tx_key <> ''
      union
      select carried.order_id, carried.tx_key, step.order_id, step.kind = 'transaction_taken'
      from carried
        join order_step step on step.tx_key = carried.tx_key and step.tx_key <> '' and step.kind <> 'disputed'
        join token_order other on other.id = step.order_id
          and (other.status <> 'pending' or step.kind = 'transaction_taken'))
    select distinct found.order_id as id, found.other_id as other
    from found
      join token_order own on own.id = found.order_id
      join token_order other on other.id = found.other_id
    where (own.id <> other.id or (found.is_taken and found.tx_key = own.tx_key))
      and not (found.tx_key = own.tx_key
        and (own.is_tx_shared or (other.tx_key = found.tx_key and other.is_tx_shared)))
    order by 1, 2`.execute(db)
  return [...rows, ...(await listPaidByRefund(db, orderIds))]
}

/** Returns the orders that have or had a transaction that refunded another order, together with that order. */
async function listPaidByRefund(
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
