import { sql } from 'kysely'
import { DAY } from '#contract/platform/durations.ts'
import { previewDays } from '#contract/publishing/newsroom.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { fromNow } from '../../../platform/db/expressions.ts'

/** Sets the preview link of a post, which replaces the previous one. */
export async function setPreview(db: Tx, id: string, hash: string): Promise<Date | null | undefined> {
  const row = await db
    .updateTable('announcement')
    .set({ preview_hash: hash, preview_until: fromNow(previewDays * DAY) })
    .where('id', '=', id)
    .where('state', '!=', 'deleted')
    .returning('preview_until')
    .executeTakeFirst()
  return row?.preview_until
}

export async function clearPreview(db: Tx, id: string): Promise<boolean> {
  const row = await db
    .updateTable('announcement')
    .set({ preview_hash: null, preview_until: null })
    .where('id', '=', id)
    .where('state', '!=', 'deleted')
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export const findPreviewed = (db: Tx, hash: string) =>
  db
    .selectFrom('announcement')
    .select(['id', 'state', 'publish_at', 'publish_zone'])
    .where('preview_hash', '=', hash)
    .where('preview_until', '>', sql<Date>`now()`)
    .where('state', '!=', 'deleted')
    .executeTakeFirst()
