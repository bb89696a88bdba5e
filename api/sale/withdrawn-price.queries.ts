import { sql, type SqlBool } from 'kysely'
import type { Tx } from '../db/database.ts'

export async function insertWithdrawnPrice(
  db: Tx,
  price: { payMethod: string; rate: string; from: Date; until: Date },
): Promise<void> {
  await db
    .insertInto('withdrawn_price')
    .values({
      pay_method: price.payMethod,
      rate: price.rate,
      from_at: price.from,
      until_at: price.until,
    })
    .onConflict((conflict) => conflict.columns(['pay_method', 'rate', 'from_at']).doNothing())
    .execute()
}

/** Whether an order was placed at a price that was taken back. Only a quote gives an order a rate. */
export const isAtWithdrawnPrice = sql<SqlBool>`(token_order.rate is not null and exists (
  select from withdrawn_price withdrawn where withdrawn.pay_method = token_order.pay_method
    and withdrawn.rate = token_order.rate
    and token_order.created_at >= withdrawn.from_at and token_order.created_at < withdrawn.until_at))`
