import { sql, type SqlBool } from 'kysely'
import type { Tx } from '../db/database.ts'
import { ago } from '../db/expressions.ts'
import { payable } from './payable.queries.ts'
import { unpaid } from './unpaid.queries.ts'

/** Maximum orders per email; the rest follow in the next one. */
const toldMax = 10_000

/** Locks pending orders that staff have not been notified of. Concurrent instances get different ones. */
const untold = (db: Tx) =>
  db
    .selectFrom('token_order')
    .select('id')
    .where('status', '=', 'pending')
    .limit(toldMax)
    .forUpdate()
    .skipLocked()

/** Locks orders whose payment was reported at least `age` milliseconds ago. */
export const lockLongWaiting = async (db: Tx, age: number): Promise<string[]> => {
  const rows = await untold(db)
    .where('reported_at', '<=', ago(age))
    .where('long_wait_told_at', 'is', null)
    .execute()
  return rows.map(({ id }) => id)
}

export const lockNotPayable = async (db: Tx): Promise<string[]> => {
  const rows = await untold(db)
    .where(unpaid)
    .where('pay_before', 'is', null)
    .where(sql<SqlBool>`not (${payable})`)
    .where('not_payable_told_at', 'is', null)
    .execute()
  return rows.map(({ id }) => id)
}

export async function markNotified(
  db: Tx,
  ids: readonly string[],
  column: 'long_wait_told_at' | 'not_payable_told_at',
): Promise<void> {
  await db
    .updateTable('token_order')
    .set({ [column]: sql<Date>`now()` })
    .where('id', 'in', ids)
    .execute()
}
