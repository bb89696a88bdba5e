import { sql } from 'kysely'
import type { Tx } from './platform/db/database.ts'

/** Any number that no other advisory lock uses. */
const seedLock = 7_201_846

/** Several instances may start at once on one database; the lock lets only one of them seed it. */
export const lockSeed = (db: Tx) => sql`select pg_advisory_xact_lock(${seedLock})`.execute(db)

export async function hasContent(db: Tx): Promise<boolean> {
  const { rows } = await sql`select 1 from member union all select 1 from announcement limit 1`.execute(db)
  return rows.length > 0
}
