import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'

export const isOnPage = sql<boolean>`ambassador.slug is not null and ambassador.hidden_at is null and ambassador.ended_at is null`

/** Lock for the display order, so that two concurrent changes don't use the same position. */
const orderLock = 7_201_848

/** Returns the IDs of the ambassadors on the page, in display order, locked until the transaction ends. */
export async function lockOrder(db: Tx): Promise<string[]> {
  await sql`select pg_advisory_xact_lock(${orderLock})`.execute(db)
  return listOrder(db)
}

export async function listOrder(db: Tx): Promise<string[]> {
  const rows = await db
    .selectFrom('ambassador')
    .select('id')
    .where(isOnPage)
    .orderBy('position')
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

export async function writeOrder(db: Tx, ids: readonly string[]): Promise<void> {
  await sql`
    update ambassador set position = placed.at
    from unnest(${ids}::text[]) with ordinality as placed (id, at) where ambassador.id = placed.id`.execute(
    db,
  )
}
