import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'

export const findOrderOfDelivery = (db: Tx, deliveryId: string) =>
  db
    .selectFrom('delivery')
    .innerJoin('token_order', 'token_order.id', 'delivery.order_id')
    .select(['token_order.id', 'token_order.member_id', 'token_order.reference'])
    .where('delivery.id', '=', deliveryId)
    .executeTakeFirstOrThrow()

/** Returns how many tokens of an order are not confirmed as delivered yet. */
export async function sumUndelivered(db: Tx, orderId: string): Promise<string> {
  const { sum } = await db
    .selectFrom('delivery')
    .leftJoin('payout_item', (join) =>
      join
        .onRef('payout_item.delivery_id', '=', 'delivery.id')
        .on('payout_item.is_live', '=', true)
        .on('payout_item.confirmed_at', 'is not', null),
    )
    .select(sql<string>`coalesce(sum(delivery.amount), 0)::text`.as('sum'))
    .where('delivery.order_id', '=', orderId)
    .where('delivery.cancelled_at', 'is', null)
    .where('payout_item.id', 'is', null)
    .executeTakeFirstOrThrow()
  return sum
}
