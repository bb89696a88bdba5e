import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import type { Solved } from './challenge.ts'

/**
 * Whether nobody had used it before, in any instance: of several at once one inserts. The clock of the database decides when it
 * has expired, and so when it may be forgotten.
 */
export async function spendWork(db: Tx, { id, expiresAt }: Solved): Promise<boolean> {
  const { rows } = await sql`
    insert into spent_work (id, expires_at)
    select ${id}, ${expiresAt}::timestamptz where ${expiresAt}::timestamptz > now()
    on conflict (id) do nothing returning id`.execute(db)
  return rows.length > 0
}

export const deleteExpiredWork = (db: Tx) =>
  db
    .deleteFrom('spent_work')
    .where('expires_at', '<', sql<Date>`now()`)
    .execute()
