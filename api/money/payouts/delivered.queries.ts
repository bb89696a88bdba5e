import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'

/** A delivery of an order that was not canceled, and the payout item that it is in. */
const standing = sql`delivery rest
  left join payout_item item on item.delivery_id = rest.id and item.is_live
  where rest.order_id = token_order.id and rest.cancelled_at is null`

/**
 * Lists the orders of deliveries and their members, with the tokens that are not confirmed yet, and what is due at the
 * earliest time at which something is that was not sent.
 */
export const listOwnersOfDeliveries = (db: Tx, deliveryIds: readonly string[]) =>
  db
    .selectFrom('token_order')
    .innerJoin('member', 'member.id', 'token_order.member_id')
    .leftJoin(
      sql<{ order_id: string; amount: string; due_at: Date }>`lateral (
        select sum(rest.amount)::text as amount, rest.due_at from ${standing} and item.sent_at is null
        group by rest.due_at order by rest.due_at limit 1)`.as('next'),
      (join) => join.onTrue(),
    )
    .select(['token_order.id as order_id', 'token_order.reference'])
    .select(['member.id', 'member.email', 'member.language'])
    .select(['next.amount as next_amount', 'next.due_at as next_due'])
    .select(
      sql<string>`(select coalesce(sum(rest.amount), 0)::text from ${standing} and item.confirmed_at is null)`.as(
        'undelivered',
      ),
    )
    .select(
      sql<string[]>`array(select delivered.id from delivery delivered
        where delivered.order_id = token_order.id and delivered.id = any(${deliveryIds}::text[])
        order by delivered.due_at, delivered.id)`.as('delivery_ids'),
    )
    .where(
      sql<boolean>`token_order.id in (select order_id from delivery where id = any(${deliveryIds}::text[]))`,
    )
    .where('member.erased_at', 'is', null)
    .orderBy('token_order.id')
    .execute()
