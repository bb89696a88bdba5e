import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'

/** What an order carried as its payment, now or before. What was refused as disputed it never carried. */
const carriedBy = (orderIds: readonly string[]) => sql`
  select order_id, tx_key from order_step
  where order_id = any(${orderIds}) and tx_key <> '' and kind <> 'disputed'
  union select id, tx_key from token_order where id = any(${orderIds}) and tx_key <> ''`

/**
 * The transactions of the order that another one may be completed by at the same time: what was replaced in it, and of what it
 * has now, or is to have, only what others name as well. So most orders need no lock, of which the server has not many.
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

/** Of the orders that are completed at once by what they name, one comes first, and the others see it. */
export async function lockTransactionKeys(db: Tx, keys: readonly string[]): Promise<void> {
  for (const key of keys)
    await sql`select pg_advisory_xact_lock(hashtextextended(${`transaction ${key}`}, 0))`.execute(db)
}

/**
 * Which of the orders carry or carried a transaction that another order has, that a closed order ever had, or that finance took
 * away from another one; and the others: what was carried there may have been sent back. Of what finance took away from an order
 * itself only that matters which it carries again. One that both have now, and finance confirmed to pay both, is no matter.
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
  return rows
}
