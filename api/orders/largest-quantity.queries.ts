import { sql } from 'kysely'
import { parseDecimal } from '#contract/decimal.ts'
import type { Tx } from '../db/database.ts'
import type { OrderRow } from './order.queries.ts'

type Sized = Pick<OrderRow, 'id' | 'fab_qty'>

/**
 * Returns the largest quantity that the order ever had, which determines whether four-eyes approval applies: lowering
 * the quantity must not remove the second approval. Null if the quantity is unknown now.
 */
export const largestQuantity = async (db: Tx, order: Sized): Promise<string | null> =>
  (await listLargestQuantities(db, [order])).get(order.id) ?? null

/** Returns the largest quantities of several orders, keyed by order ID. */
export async function listLargestQuantities(
  db: Tx,
  orders: readonly Sized[],
): Promise<Map<string, string | null>> {
  const known = new Map((await listFormerQuantities(db, orders)).map(({ id, quantity }) => [id, quantity]))
  return new Map(orders.map(({ id, fab_qty }) => [id, fab_qty && largerOf(fab_qty, known.get(id))]))
}

const largerOf = (now: string, before: string | null | undefined): string =>
  before && parseDecimal(before) > parseDecimal(now) ? before : now

/** Lists the quantities in the history of the orders. A correction that was only proposed never took effect. */
const listFormerQuantities = async (db: Tx, orders: readonly Sized[]) =>
  orders.length === 0
    ? []
    : db
        .selectFrom('order_step')
        .innerJoinLateral(
          sql<{ value: unknown }>`jsonb_array_elements(order_step.changes)`.as<'change'>(sql`change (value)`),
          (join) => join.onTrue(),
        )
        .select('order_step.order_id as id')
        .select(
          sql<
            string | null
          >`max(greatest((change.value ->> 'before')::numeric, (change.value ->> 'after')::numeric))::text`.as(
            'quantity',
          ),
        )
        .where(
          'order_step.order_id',
          'in',
          orders.map(({ id }) => id),
        )
        .where('order_step.kind', '!=', 'correction_proposed')
        .where(sql<boolean>`change.value ->> 'field' = 'fabQty'`)
        .groupBy('order_step.order_id')
        .execute()
