import { sql, type SqlBool } from 'kysely'
import type { Language } from '#contract/platform/fields.ts'
import { newsPageSize } from '#contract/publishing/announcements.ts'
import type { Tx } from '../../platform/db/database.ts'
import { readPage, paginate, type Page } from '../../platform/db/read-page.ts'
import type { Search } from './search-text.ts'

/** Written as a literal, as in the indexes: a cached plan with a parameter could not use them. */
const isPublished = sql<SqlBool>`state = 'published'`

/**
 * Whether a post can name the account as its author. A display name can be changed at any time, so it is no longer shown
 * in public once its account has lost the right to edit news. A trigger announces when this changes.
 */
export const canBeNamed = (account: 'member' | 'named') => sql<SqlBool>`(
  ${sql.ref(`${account}.active`)}
  and ${sql.ref(`${account}.password_length_ok_for_staff`)}
  and (${sql.ref(`${account}.manage_news`)} >= 1 or ${sql.ref(`${account}.is_write_access_admin`)}))`

/** Selects posts without the columns that only the search needs. */
const selectAnnouncements = (db: Tx) =>
  db
    .selectFrom('announcement')
    .leftJoin('member', 'member.id', 'announcement.created_by')
    .leftJoin('announcement_picture as card', 'card.name', 'announcement.card_picture')
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
      'announcement.reading_minutes',
      'announcement.card_picture',
      'announcement.card_height',
      'announcement.card_alt',
      'announcement.byline',
      'member.display_name as author_name',
      'card.widths as card_widths',
    ])
    // Not joined: to join the few accounts that can be named, PostgreSQL would read all of them.
    .select(
      sql<string | null>`(select named.display_name from member named
        where named.id = announcement.byline and ${canBeNamed('named')})`.as('byline_name'),
    )

export type AnnouncementRow = Awaited<ReturnType<typeof getAnnouncement>>

export const getAnnouncement = (db: Tx, id: string) =>
  selectAnnouncements(db).where('announcement.id', '=', id).executeTakeFirstOrThrow()

export const listPublished = (db: Tx, language: Language, page: Page) =>
  readPage(selectAnnouncements(db).where('announcement.language', '=', language).where(isPublished), page, {
    at: 'announcement.posted_at',
    id: 'announcement.id',
  })

type Wanted = {
  language: Language
  category?: string | undefined
  /** The ID of the author's account. */
  byline?: string
  search?: Search | null
  page: number
}

/** Returns a page by its number. Finds the IDs in the index first, so that only their texts are read. */
export async function browsePublished(db: Tx, { language, category, byline, search, page }: Wanted) {
  let found = db.selectFrom('announcement').select('id').where('language', '=', language).where(isPublished)
  if (category !== undefined) found = found.where('category', '=', category)
  if (byline !== undefined) found = found.where('byline', '=', byline)
  if (search) found = found.where(containsAll(search))
  const { rows: ids, next } = await paginate(
    found
      .orderBy('posted_at', 'desc')
      .orderBy('id', 'desc')
      // The most requested first page has no parameter, so that its plan is cached.
      .$if(page > 1, (query) => query.offset((page - 1) * newsPageSize)),
    newsPageSize,
    (row) => row.id,
  )
  const shown = ids.map(({ id }) => id)
  const rows =
    shown.length === 0
      ? []
      : await selectAnnouncements(db)
          .where('announcement.id', 'in', shown)
          .orderBy('announcement.posted_at', 'desc')
          .orderBy('announcement.id', 'desc')
          .execute()
  return { rows, hasMore: next !== undefined }
}

/** Filters by the index first, so that few texts are read. */
const containsAll = ({ grams, words }: Search) =>
  sql<SqlBool>`search_grams @> ${grams} and ${hasAll('search_text', words)}`

const hasAll = (text: 'search_text' | 'lower(title)', words: readonly string[]) =>
  sql.join(
    words.map((word) => sql<SqlBool>`position(${word} in ${sql.raw(text)}) > 0`),
    sql` and `,
  )

/** Number of characters of a post in which the site search looks for a passage to show. */
const beginningLength = 20_000

/** Returns the posts that contain all words: first those with all of them in the title, then the newest. */
export const findPublished = (db: Tx, language: Language, search: Search, limit: number) =>
  db
    .selectFrom('announcement')
    .select(['slug', 'title', 'posted_at', sql<string>`left(content, ${beginningLength})`.as('beginning')])
    .where('language', '=', language)
    .where(isPublished)
    .where(containsAll(search))
    .orderBy(sql`${hasAll('lower(title)', search.words)}`, 'desc')
    .orderBy('posted_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

/** Returns the published post at an address and its translation. */
export const readPostsAt = (db: Tx, slug: string) =>
  selectAnnouncements(db)
    .where('slug', '=', slug)
    .where(isPublished)
    .orderBy('announcement.language')
    .execute()

/** Returns the authors whom published posts name, and the languages of these posts. */
export const listBylines = (db: Tx) =>
  db
    .selectFrom('announcement')
    .innerJoin('member', 'member.id', 'announcement.byline')
    .select(['member.id', 'member.display_name as name'])
    .select(sql<Language[]>`array_agg(distinct announcement.language::text)`.as('languages'))
    .where(isPublished)
    .where('announcement.byline', 'is not', null)
    .where('member.display_name', '!=', '')
    .where(canBeNamed('member'))
    .groupBy(['member.id', 'member.display_name'])
    .orderBy('member.display_name')
    .orderBy('member.id')
    .execute()

/** Maximum number of addresses in a sitemap. */
const addressesMax = 50_000

export const listAddresses = (db: Tx) =>
  db
    .selectFrom('announcement')
    .select(['slug', 'language', 'posted_at', 'edited_at'])
    .where(isPublished)
    .orderBy('posted_at', 'desc')
    .limit(addressesMax)
    .execute()
