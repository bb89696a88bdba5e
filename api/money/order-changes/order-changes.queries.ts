import { sql } from 'kysely'
import { DAY } from '#contract/platform/durations.ts'
import type { Tx } from '../../platform/db/database.ts'
import { ago } from '../../platform/db/expressions.ts'

export type OrderVersion = { id: string; memberId: string; version: string }

/**
 * Reads a version of each order of these members that is pending or has changed recently. The version changes with the
 * order, its withdrawal, and its state on the chain. Each block changes the number of confirmations.
 */
export async function listOrderVersions(db: Tx, memberIds: readonly string[]): Promise<OrderVersion[]> {
  const { rows } = await sql<OrderVersion>`
    select o.id, o.member_id as "memberId",
      concat_ws(' ', o.updated_at, o.payment_dropped_at, w.state, w.refund_address, c.state, c.received, c.confirmed,
        case when c.received > 0 then watch.height end) as version
    from token_order o
    left join order_withdrawal w on w.order_id = o.id
    left join chain_payment c on c.order_id = o.id
    left join chain_watch watch on watch.coin = c.coin
    where o.member_id = any(${memberIds}) and (o.status = 'pending' or o.updated_at > ${ago(DAY)})`.execute(
    db,
  )
  return rows
}
