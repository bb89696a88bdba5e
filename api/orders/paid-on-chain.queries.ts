import type { Tx } from '../db/database.ts'

/** The amount that the chain shows as paid exactly, in time and final, or undefined. */
export async function findPaidOnChain(db: Tx, orderId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('chain_payment')
    .select('received')
    .where('order_id', '=', orderId)
    .where('state', '=', 'paid')
    .where('is_gone', '=', false)
    .executeTakeFirst()
  return row?.received ?? undefined
}
