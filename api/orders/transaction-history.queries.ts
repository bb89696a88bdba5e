import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import { listOrdersRefundedBy } from './refund-transaction.queries.ts'

/** The transactions that an order has or had as its payment. Claims rejected as disputed don't count. */
const carriedBy = (orderIds: readonly string[]) => sql`
  select order_id, tx_key from order_step
  where order_id = any(${orderIds}) and tx_key <> '' and kind <> 'disputed'
  union select id, tx_key from token_order where id = any(${orderIds}) and tx_key <> ''`

/**
 * Lists the transactions of the order that another order might be completed by at the same time: those replaced in it,
 * and those it has now or will have if other orders name them too. Most orders therefore need no lock, of which the
 * database has a limited number.
 */
export async function listKeysToLock(db: Tx, orderId: string, present: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ tx_key: string }>`
    select tx_key from (${carriedBy([orderId])}) carried where tx_key <> all(${present})
    union
    select tx_key from order_step
    where tx_key <> '' and tx_key = any(${present}) and kind <> 'disputed' and order_id <> ${orderId}
    order by tx_key`.execute(db)
  return rows.map(({ tx_key }) => tx_key)
}

/** Acquires locks on transaction keys, so that orders completed concurrently by the same transaction see each other. */
export async function lockTransactionKeys(db: Tx, keys: readonly string[]): Promise<void> {
  for (const key of keys)
    await sql`select pg_advisory_xact_lock(hashtextextended(${`transaction ${key}`}, 0))`.execute(db)
}

/**
 * Returns the orders that have or had a transaction which another order has, a closed order ever had, or finance
 * removed from another order, together with those other orders: the payment may have been refunded there. A transaction
 * that finance removed from the order itself counts only if the order has it again. A transaction that two orders have
 * now, and that finance confirmed pays both, does not count. A transaction that refunded another order counts as well.
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

/** Returns the orders that have or had a transaction which refunded another order, together with that order. */
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
