import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../db/database.ts'
import { sharesTransaction } from './order-step.queries.ts'

/**
 * Version of an order as staff see it. Each change of the order, or of what the chain shows as received for it, gives
 * another one.
 */
const version = sql<string>`(select concat_ws(' ', extract(epoch from token_order.updated_at),
  trim_scale(coalesce(max(seen.received), 0)), coalesce(bool_or(seen.is_gone or seen.state = 'reorganised'), false))
  from chain_payment seen where seen.order_id = token_order.id)`

/**
 * Whether a proposal about an order is no longer what its author would decide on: the order changed since, or the author
 * has an interest in it, because it shares a transaction with an order of theirs.
 */
export const isOutdated = (by: RawBuilder<unknown>, seen: RawBuilder<unknown>) =>
  sql<boolean>`(${seen} is distinct from ${version} or token_order.member_id = ${by}
    or ${sharesTransaction(by, sql.ref('token_order.id'))})`

/** Stores with the completion proposal of a locked order what its author sees. */
export async function recordSeenByProposer(db: Tx, orderId: string): Promise<void> {
  await db.updateTable('token_order').set({ completion_seen: version }).where('id', '=', orderId).execute()
}

/** Stores the same with the proposed decision on the withdrawal from a locked order. */
export async function recordSeenByWithdrawalProposer(db: Tx, orderId: string): Promise<void> {
  await db
    .updateTable('order_withdrawal')
    .from('token_order')
    .set({ proposal_seen: version })
    .whereRef('token_order.id', '=', 'order_withdrawal.order_id')
    .where('token_order.id', '=', orderId)
    .execute()
}

export type Seen = { id: string; by: string; seen: string | null }

/** Whether the order is still as the author of a proposal saw it, and none that concerns the author. */
export const isAsProposed = async (db: Tx, { id, by, seen }: Seen): Promise<boolean> =>
  (await db
    .selectFrom('token_order')
    .select('id')
    .where('id', '=', id)
    .where(({ not }) => not(isOutdated(sql`${by}::text`, sql`${seen}::text`)))
    .executeTakeFirst()) !== undefined
