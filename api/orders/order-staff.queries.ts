import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'

export async function markFinanceTold(db: Tx, orderId: string): Promise<void> {
  await db
    .updateTable('token_order')
    .set({ finance_told_at: sql<Date>`now()` })
    .where('id', '=', orderId)
    .execute()
}
