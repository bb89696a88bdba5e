import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'

export async function markFinanceNotified(db: Tx, orderId: string): Promise<void> {
  await db
    .updateTable('token_order')
    .set({ finance_told_at: sql<Date>`now()` })
    .where('id', '=', orderId)
    .execute()
}
