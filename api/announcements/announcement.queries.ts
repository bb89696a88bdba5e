import { sql } from 'kysely'
import type { Language } from '#contract/fields.ts'
import { trashDays } from '#contract/announcements.ts'
import { isAfter, pageOf, readCursor } from '../db/cursor.ts'
import type { Tx } from '../db/database.ts'

export type AnnouncementContent = {
  title: string
  category: string
  language: Language
  content: string
  contentSummary: string
}

const selectAnnouncements = (db: Tx) =>
  db
    .selectFrom('announcement')
    .leftJoin('member', 'member.id', 'announcement.created_by')
    .selectAll('announcement')
    .select('member.display_name as author_name')

export type AnnouncementRow = Awaited<ReturnType<typeof getAnnouncement>>

export async function listPublished(db: Tx, language: Language, limit: number, after: string | undefined) {
  const cursor = readCursor(after)
  let query = selectAnnouncements(db)
    .where('announcement.language', '=', language)
    .where('state', '=', 'published')
  if (cursor) query = query.where(isAfter('announcement.posted_at', 'announcement.id', cursor))
  const rows = await query
    .orderBy('announcement.posted_at', 'desc')
    .orderBy('announcement.id', 'desc')
    .limit(limit + 1)
    .execute()
  return pageOf(rows, limit, (row) => row.posted_at)
}

export const getAnnouncement = (db: Tx, id: string) =>
  selectAnnouncements(db).where('announcement.id', '=', id).executeTakeFirstOrThrow()

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
    .values({ ...columnsOf(content), created_by: createdBy })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
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

const columnsOf = (content: AnnouncementContent) => ({
  title: content.title,
  category: content.category,
  language: content.language,
  content: content.content,
  content_summary: content.contentSummary,
})
