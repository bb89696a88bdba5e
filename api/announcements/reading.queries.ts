import { sql, type SqlBool } from 'kysely'
import type { Language } from '#contract/fields.ts'
import { newsPageSize } from '#contract/announcements.ts'
import { isAfter, pageOf, readCursor } from '../db/cursor.ts'
import type { Tx } from '../db/database.ts'
import type { Search } from './search-text.ts'

/** Without what only the search needs. */
const selectAnnouncements = (db: Tx) =>
  db
    .selectFrom('announcement')
    .leftJoin('member', 'member.id', 'announcement.created_by')
    .select([
      'announcement.id',
      'announcement.slug',
      'announcement.title',
      'announcement.category',
      'announcement.language',
      'announcement.content',
      'announcement.content_summary',
      'announcement.state',
      'announcement.posted_at',
      'announcement.edited_at',
      'announcement.created_by',
      'member.display_name as author_name',
    ])

export type AnnouncementRow = Awaited<ReturnType<typeof getAnnouncement>>

export const getAnnouncement = (db: Tx, id: string) =>
  selectAnnouncements(db).where('announcement.id', '=', id).executeTakeFirstOrThrow()

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

type Wanted = { language: Language; category: string | undefined; search: Search | null; page: number }

/** A page by its number. Its ids are found in the index first: texts are read for these alone. */
export async function browsePublished(db: Tx, { language, category, search, page }: Wanted) {
  let found = db
    .selectFrom('announcement')
    .select('id')
    .where('language', '=', language)
    .where('state', '=', 'published')
  if (category !== undefined) found = found.where('category', '=', category)
  if (search) {
    found = found.where(sql<SqlBool>`search_grams @> ${search.grams}`)
    for (const word of search.words) found = found.where(sql<SqlBool>`position(${word} in search_text) > 0`)
  }
  const ids = await found
    .orderBy('posted_at', 'desc')
    .orderBy('id', 'desc')
    .limit(newsPageSize + 1)
    .offset((page - 1) * newsPageSize)
    .execute()
  const shown = ids.slice(0, newsPageSize).map(({ id }) => id)
  const rows =
    shown.length === 0
      ? []
      : await selectAnnouncements(db)
          .where('announcement.id', 'in', shown)
          .orderBy('announcement.posted_at', 'desc')
          .orderBy('announcement.id', 'desc')
          .execute()
  return { rows, hasMore: ids.length > newsPageSize }
}

/** The published post at an address and its translation. */
export const readPostsAt = (db: Tx, slug: string) =>
  selectAnnouncements(db)
    .where('slug', '=', slug)
    .where('state', '=', 'published')
    .orderBy('announcement.language')
    .execute()

/** As many as a site map may hold. */
const addressesMax = 50_000

export const listAddresses = (db: Tx) =>
  db
    .selectFrom('announcement')
    .select(['slug', 'language', 'posted_at', 'edited_at'])
    .where('state', '=', 'published')
    .orderBy('posted_at', 'desc')
    .limit(addressesMax)
    .execute()
