import { sql } from 'kysely'
import type { Language } from '#contract/fields.ts'
import type { Tx } from '../db/database.ts'

export const listPostsWithIds = (db: Tx, ids: readonly string[]) =>
  db
    .selectFrom('announcement')
    .select(['id', 'slug', 'title', 'category', 'language', 'state', 'posted_at', 'edited_at'])
    .where(sql<boolean>`id = any (${ids}::text[])`)
    .execute()

/** Which of these addresses a post has in which language. Of what it had before: in every one. */
export async function listTakenSlugs(
  db: Tx,
  slugs: readonly string[],
): Promise<{ slug: string; language: Language | null }[]> {
  const { rows } = await sql<{ slug: string; language: Language | null }>`
    select slug, language from announcement where slug = any (${slugs}::text[])
    union select slug, null from announcement_former_slug where slug = any (${slugs}::text[])`.execute(db)
  return rows
}

/** As if it had been written here then. Before it is published, because a signed version is never changed. */
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

/** The newsroom lists it by its last change on the earlier site. */
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
