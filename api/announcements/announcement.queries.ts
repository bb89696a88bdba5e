import { sql } from 'kysely'
import type { Language } from '#contract/fields.ts'
import { trashDays } from '#contract/announcements.ts'
import type { Tx } from '../db/database.ts'
import { freeSlug, makeSlug } from './make-slug.ts'
import { gramsOf, searchTextOf } from './search-text.ts'

export type AnnouncementContent = {
  title: string
  category: string
  language: Language
  content: string
  contentSummary: string
}

/** Locked, so that of two editors the second sees the first one's change. */
export const lockAnnouncement = (db: Tx, id: string) =>
  db
    .selectFrom('announcement')
    .selectAll()
    .where('id', '=', id)
    .where('state', '!=', 'deleted')
    .forUpdate()
    .executeTakeFirst()

export async function insertAnnouncement(
  db: Tx,
  content: AnnouncementContent,
  createdBy: string | null,
): Promise<string> {
  const row = await db
    .insertInto('announcement')
    .values({ ...columnsOf(content), slug: await slugFor(db, content.title), created_by: createdBy })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** Two posts made at the same moment must not choose the same address. */
const slugLock = 7_201_847

/** An address that no post has in any language: only a translation shares one. */
export async function slugFor(db: Tx, title: string): Promise<string> {
  const slug = makeSlug(title)
  await sql`select pg_advisory_xact_lock(${slugLock})`.execute(db)
  const rows = await db
    .selectFrom('announcement')
    .select('slug')
    .where((where) =>
      where.or([where('slug', '=', slug), where(sql`left(slug, ${slug.length + 1})`, '=', `${slug}-`)]),
    )
    .execute()
  return freeSlug(slug, new Set(rows.map((row) => row.slug)))
}

export async function updateAnnouncementRow(db: Tx, id: string, content: AnnouncementContent): Promise<void> {
  // Two edits within a millisecond must still tell themselves apart: `lastEdited` is what a conflict is found by.
  const editedAt = sql<Date>`greatest(now(), edited_at + interval '1 millisecond')`
  await db
    .updateTable('announcement')
    .set({ ...columnsOf(content), edited_at: editedAt })
    .where('id', '=', id)
    .execute()
}

export async function trashAnnouncement(db: Tx, id: string, by: string): Promise<boolean> {
  const row = await db
    .updateTable('announcement')
    .set({ state: 'deleted', deleted_at: sql<Date>`now()`, deleted_by: by })
    .where('id', '=', id)
    .where('state', '!=', 'deleted')
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export const emptyTrash = (db: Tx) =>
  db
    .deleteFrom('announcement')
    .where('state', '=', 'deleted')
    .where('deleted_at', '<', sql<Date>`now() - ${trashDays} * interval '1 day'`)
    .execute()

function columnsOf(content: AnnouncementContent) {
  const searchText = searchTextOf(content.title, content.content)
  return {
    title: content.title,
    category: content.category,
    language: content.language,
    content: content.content,
    content_summary: content.contentSummary,
    search_text: searchText,
    search_grams: gramsOf(searchText),
  }
}
