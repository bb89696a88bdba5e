import { sql, type SqlBool } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'

/** Records a receiving address that was set back. If it was already recorded, only its end can change. */
export async function insertWithdrawnAddress(
  db: Tx,
  { address, from, until }: { address: string; from: Date; until: Date },
): Promise<void> {
  await db
    .insertInto('withdrawn_address')
    .values({ address: address.toLowerCase(), from_at: from, until_at: until })
    .onConflict((conflict) =>
      conflict.columns(['address', 'from_at']).doUpdateSet({
        until_at: sql<Date>`greatest(withdrawn_address.until_at, excluded.until_at)`,
      }),
    )
    .execute()
}

/** Whether an order got a receiving address that was set back. Orders keep it, so their members may pay to it. */
export const isAtWithdrawnAddress = sql<SqlBool>`(token_order.receiving_address <> '' and exists (
  select from withdrawn_address withdrawn where withdrawn.address = lower(token_order.receiving_address)
    and token_order.created_at >= withdrawn.from_at and token_order.created_at < withdrawn.until_at))`
