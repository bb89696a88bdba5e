import { sql } from 'kysely'
import type { Language } from '#contract/platform/fields.ts'
import type { Tx } from '../../platform/db/database.ts'

export const listPostsWithIds = (db: Tx, ids: readonly string[]) =>
  db
    .selectFrom('announcement')
    .select(['id', 'slug', 'title', 'category', 'language', 'state', 'posted_at', 'edited_at'])
    .where(sql<boolean>`id = any (${ids}::text[])`)
    .execute()

/** Returns which of these addresses a post has in which language. Its former addresses count in every language. */
export async function listTakenSlugs(
  db: Tx,
  slugs: readonly string[],
): Promise<{ slug: string; language: Language | null }[]> {
  const { rows } = await sql<{ slug: string; language: Language | null }>`
    select slug, language from announcement where slug = any (${slugs}::text[])
    union select slug, null from announcement_former_slug where slug = any (${slugs}::text[])`.execute(db)
  return rows
}

/**
 * Dates an imported post as if it had been written here then. Runs before publishing, because a signed version never
 * changes.
 */
export async function dateImported(
  db: Tx,
  id: string,
  { postedAt, isPublished }: { postedAt: Date; isPublished: boolean },
): Promise<void> {
  await db
    .updateTable('announcement')
    .set({ posted_at: postedAt, is_taken_over: isPublished })
    .where('id', '=', id)
    .execute()
  if (!isPublished) return
  await db
    .updateTable('announcement_version')
    .set({ published_at: postedAt })
    .where('announcement_id', '=', id)
    .execute()
}

/** Sets the last change of the earlier site, by which the newsroom sorts. */
export async function dateChange(
  db: Tx,
  id: string,
  { postedAt, editedAt }: { postedAt: Date; editedAt: Date | null },
): Promise<void> {
  await db
    .updateTable('announcement')
    .set({ edited_at: editedAt, changed_at: editedAt ?? postedAt })
    .where('id', '=', id)
    .execute()
}
