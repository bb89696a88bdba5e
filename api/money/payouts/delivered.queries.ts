import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'

/** Lists the orders of deliveries and their members, with the tokens of each order that are not confirmed yet. */
export const listOwnersOfDeliveries = (db: Tx, deliveryIds: readonly string[]) =>
  db
    .selectFrom('delivery')
    .innerJoin('token_order', 'token_order.id', 'delivery.order_id')
    .innerJoin('member', 'member.id', 'token_order.member_id')
    .select(['delivery.id as delivery_id', 'token_order.id as order_id', 'token_order.reference'])
    .select(['member.id', 'member.email', 'member.language'])
    .select(
      sql<string>`(select coalesce(sum(rest.amount), 0)::text from delivery rest
        where rest.order_id = token_order.id and rest.cancelled_at is null
          and not exists (select from payout_item paid where paid.delivery_id = rest.id and paid.is_live
            and paid.confirmed_at is not null))`.as('undelivered'),
    )
    .where('delivery.id', 'in', deliveryIds)
    .where('member.erased_at', 'is', null)
    .orderBy('delivery.id')
    .execute()
