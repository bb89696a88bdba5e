import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'

export async function setSlug(db: Tx, id: string, slug: string): Promise<void> {
  await db.updateTable('ambassador').set({ slug }).where('id', '=', id).execute()
}

/** Claims an address permanently. Returns false if someone had it before. */
export async function claimSlug(db: Tx, slugHash: string): Promise<boolean> {
  const row = await db
    .insertInto('ambassador_slug')
    .values({ slug_hash: slugHash })
    .onConflict((conflict) => conflict.doNothing())
    .returning('slug_hash')
    .executeTakeFirst()
  return row !== undefined
}

/** Claims several addresses in a fixed order, so that concurrent claims can't deadlock. */
export async function claimSlugsOfContent(db: Tx, slugHashes: readonly string[]): Promise<void> {
  if (slugHashes.length === 0) return
  await db
    .insertInto('ambassador_slug')
    .values(slugHashes.toSorted().map((slug_hash) => ({ slug_hash, of_content: true })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Returns the addresses that someone who joined has or had. */
export async function listSlugsOfPeople(db: Tx, slugHashes: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('ambassador_slug')
    .select('slug_hash')
    .where('slug_hash', '=', sql<string>`any (${slugHashes}::text[])`)
    .where('of_content', '=', false)
    .execute()
  return rows.map(({ slug_hash }) => slug_hash)
}
