import { sql, type SqlBool } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'

export async function insertWithdrawnPrice(
  db: Tx,
  price: { payMethod: string; rate: string; from: Date; until: Date; isProvisional: boolean },
): Promise<void> {
  await db
    .insertInto('withdrawn_price')
    .values({
      pay_method: price.payMethod,
      rate: price.rate,
      from_at: price.from,
      until_at: price.until,
      is_provisional: price.isProvisional,
    })
    .onConflict((conflict) =>
      conflict.columns(['pay_method', 'rate', 'from_at']).doUpdateSet({
        until_at: sql<Date>`greatest(withdrawn_price.until_at, excluded.until_at)`,
        is_provisional: sql<boolean>`withdrawn_price.is_provisional and excluded.is_provisional`,
      }),
    )
    .execute()
}

/** Lists prices that were stopped and whose coin has not been offered since. */
export const listStoppedPrices = (db: Tx) =>
  db
    .selectFrom('withdrawn_price')
    .select(['pay_method', 'rate', 'from_at'])
    .where('is_provisional', '=', true)
    .execute()

type StoppedPrice = Awaited<ReturnType<typeof listStoppedPrices>>[number]

export const settleWithdrawnPrice = (db: Tx, { pay_method, rate, from_at }: StoppedPrice) =>
  db
    .updateTable('withdrawn_price')
    .set({ is_provisional: false })
    .where('pay_method', '=', pay_method)
    .where('rate', '=', rate)
    .where('from_at', '=', from_at)
    .execute()

export const deleteWithdrawnPrice = (db: Tx, { pay_method, rate, from_at }: StoppedPrice) =>
  db
    .deleteFrom('withdrawn_price')
    .where('pay_method', '=', pay_method)
    .where('rate', '=', rate)
    .where('from_at', '=', from_at)
    .execute()

/**
 * Whether an order was placed at a withdrawn price, of the sale or of its round. Only a quote gives an order a rate; a
 * bonus doesn't count.
 */
export const isAtWithdrawnPrice = sql<SqlBool>`(token_order.rate is not null and exists (
  select from withdrawn_price withdrawn
  where withdrawn.pay_method in (token_order.pay_method, token_order.round_id || '/' || token_order.pay_method)
    and withdrawn.rate = coalesce(token_order.base_rate, token_order.rate)
    and token_order.created_at >= withdrawn.from_at and token_order.created_at < withdrawn.until_at))`
