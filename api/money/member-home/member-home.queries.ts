import { sql, type SqlBool } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { openStates, withdrawnStates } from '../orders/withdrawals/withdrawal.rules.ts'

/** The member's pending orders that can still be paid or completed, newest first, with their state on the chain. */
export const listOpenOrders = (db: Tx, memberId: string, limit: number) =>
  db
    .selectFrom('token_order')
    .leftJoin('chain_payment', 'chain_payment.order_id', 'token_order.id')
    .selectAll('token_order')
    .select('chain_payment.state as chain_state')
    .where('member_id', '=', memberId)
    .where('status', '=', 'pending')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('order_withdrawal')
            .select('order_id')
            .whereRef('order_withdrawal.order_id', '=', 'token_order.id')
            .where('state', 'in', withdrawnStates),
        ),
      ),
    )
    .orderBy('token_order.created_at', 'desc')
    .orderBy('token_order.id', 'desc')
    .limit(limit)
    .execute()

export type OpenOrderRow = Awaited<ReturnType<typeof listOpenOrders>>[number]

/** The member's withdrawals that finance has not refunded or declined yet, newest first. */
export const listOpenWithdrawals = (db: Tx, memberId: string, limit: number) =>
  db
    .selectFrom('order_withdrawal')
    .innerJoin('token_order', 'token_order.id', 'order_withdrawal.order_id')
    .select(['order_id', 'order_withdrawal.state', 'refund_before', 'refund_address'])
    .select(['token_order.reference', 'pay_chain', 'pay_method'])
    .where('token_order.member_id', '=', memberId)
    .where('order_withdrawal.state', 'in', openStates)
    .orderBy('requested_at', 'desc')
    .limit(limit)
    .execute()

const neverWithdrawn = sql<SqlBool>`not exists (select from order_withdrawal w
  where w.order_id = token_order.id and w.state in (${sql.join(withdrawnStates)}))`

/** Whether the member has an order that is not canceled, and the newest order without a token address. */
export async function summarizeOrders(
  db: Tx,
  memberId: string,
): Promise<{ hasOrder: boolean; withoutAddress: string | null }> {
  const kept = db
    .selectFrom('token_order')
    .where('member_id', '=', memberId)
    .where('status', '<>', 'cancelled')
  const any = await kept.select('id').limit(1).executeTakeFirst()
  const without = await kept
    .select('id')
    .where('fab_address', '=', '')
    .where(neverWithdrawn)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return { hasOrder: any !== undefined, withoutAddress: without?.id ?? null }
}
