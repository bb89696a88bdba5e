import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { listOrdersRefundedBy } from '../refund-transaction.queries.ts'

export const listOrdersToPlan = (db: Tx, ids: readonly string[], isLocking: boolean) =>
  db
    .selectFrom('token_order')
    .selectAll()
    .where('id', 'in', ids.length > 0 ? ids : [''])
    // The same lock order as everywhere else.
    .orderBy('id')
    .$if(isLocking, (query) => query.forUpdate())
    .execute()

type WithKey = { id: string; tx_key: string; is_taken: boolean }

/** Lists the orders with any of the transactions, like `listOrdersWithTransaction` does for one. */
export async function listOrdersWithKeys(db: Tx, keys: readonly string[]): Promise<WithKey[]> {
  const { rows } = await sql<WithKey>`
    select id, tx_key, false as is_taken from token_order where tx_key <> '' and tx_key = any(${keys})
    union select of_step.id, order_step.tx_key, kind = 'transaction_taken'
    from order_step join token_order of_step on of_step.id = order_id
    where order_step.tx_key <> '' and order_step.tx_key = any(${keys})
      and (kind = 'transaction_taken' or (kind <> 'disputed' and of_step.status <> 'pending'))`.execute(db)
  const refunded = await listOrdersRefundedBy(db, keys)
  // A refund isn't a payment for its own order either.
  return [...rows, ...refunded.map(({ id, key }) => ({ id, tx_key: key, is_taken: true }))]
}

/** Lists the transactions reported for the member's own orders. */
export const listKeysOfMember = async (db: Tx, memberId: string): Promise<string[]> => {
  const rows = await db
    .selectFrom('order_step')
    .innerJoin('token_order', 'token_order.id', 'order_step.order_id')
    .select('order_step.tx_key')
    .distinct()
    .where('token_order.member_id', '=', memberId)
    .where('order_step.tx_key', '!=', '')
    .execute()
  return rows.map(({ tx_key }) => tx_key)
}

/** Returns which of the orders had one of the transactions reported for them. */
export const listOrdersNaming = async (
  db: Tx,
  orderIds: readonly string[],
  keys: readonly string[],
): Promise<string[]> => {
  if (keys.length === 0) return []
  const rows = await db
    .selectFrom('order_step')
    .select('order_id')
    .distinct()
    .where('order_id', 'in', orderIds)
    .where('tx_key', 'in', keys)
    .execute()
  return rows.map(({ order_id }) => order_id)
}

/**
 * Raises the statement timeout: at commit, every change is chained into the audit log, which takes longer than one
 * statement is normally allowed.
 */
export async function allowLongCommit(db: Tx): Promise<void> {
  await sql`set local statement_timeout = '60s'`.execute(db)
}
