import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import type { Solved } from './challenge.ts'

/**
 * Marks a challenge as used. Returns false if it was used before, in any instance: only one of several concurrent
 * inserts succeeds. Expiry follows the database clock, so that used challenges are kept long enough.
 */
export async function consumeWork(db: Tx, { id, expiresAt }: Solved): Promise<boolean> {
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
