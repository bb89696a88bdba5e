import { sql, type SqlBool } from 'kysely'
import { languages, type Language } from '#contract/platform/languages.ts'
import type { NewsroomFilters } from '#contract/publishing/newsroom.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { narrowed } from '../../../platform/db/read-list.ts'
import { readPage, type Page } from '../../../platform/db/read-page.ts'
import { canBeNamed } from '../reading.queries.ts'

/** If there are several translations, the first is shown; with two languages there is one at most. */
const isOnlySibling = () =>
  languages.length === 2
    ? sql<SqlBool>`true`
    : sql<SqlBool>`not exists (select from announcement as earlier where earlier.slug = post.slug
        and earlier.state != 'deleted' and earlier.language != post.language and earlier.language < sibling.language)`

const isWithout = (language: Language) => () =>
  languages.length === 2
    ? sql<SqlBool>`sibling.id is null`
    : sql<SqlBool>`not exists (select from announcement as translation where translation.slug = post.slug
        and translation.state != 'deleted' and translation.language = ${language})`

/** Selects posts without their content, which lists don't show. */
const selectPosts = (db: Tx) =>
  db
    .selectFrom('announcement as post')
    .leftJoin('member as author', 'author.id', 'post.created_by')
    .leftJoin('member as editor', 'editor.id', 'post.edited_by')
    .leftJoin('announcement as sibling', (join) =>
      join
        .onRef('sibling.slug', '=', 'post.slug')
        .onRef('sibling.language', '!=', 'post.language')
        .on('sibling.state', '!=', 'deleted')
        .on(isOnlySibling),
    )
    .select([
      'post.id',
      'post.slug',
      'post.title',
      'post.category',
      'post.language',
      'post.state',
      'post.posted_at',
      'post.edited_at',
      'post.changed_at',
      'post.publish_at',
      'post.publish_zone',
      'post.deleted_at',
      'post.version',
      'post.created_by',
      'author.display_name as author_name',
      'post.edited_by',
      'editor.display_name as editor_name',
      'sibling.id as sibling_id',
      'sibling.language as sibling_language',
      'sibling.title as sibling_title',
      'sibling.state as sibling_state',
    ])

export type NewsroomRow = Awaited<ReturnType<typeof getNewsroomRow>>

export const getNewsroomRow = (db: Tx, id: string) =>
  selectPosts(db).where('post.id', '=', id).executeTakeFirstOrThrow()

export const findNewsroomRowWhole = (db: Tx, id: string) =>
  selectPosts(db)
    .leftJoin('member as named', (join) => join.onRef('named.id', '=', 'post.byline').on(canBeNamed('named')))
    .leftJoin('announcement_picture as card', 'card.name', 'post.card_picture')
    .select([
      'post.content',
      'post.card_picture',
      'post.card_height',
      'post.card_alt',
      'post.byline',
      'card.widths as card_widths',
      'named.display_name as byline_name',
    ])
    .where('post.id', '=', id)
    .executeTakeFirst()

/** Whether the post is overdue, or due by the end of today (UTC). */
export const isPostDue = (table: 'post' | 'announcement') =>
  sql<SqlBool>`${sql.ref(`${table}.state`)} = 'scheduled'
    and ${sql.ref(`${table}.publish_at`)} < date_trunc('day', now(), 'UTC') + interval '1 day'`

export function listNewsroomRows(db: Tx, filters: NewsroomFilters, page: Page) {
  const rows = selectPosts(db).where('post.state', filters.state ? '=' : '!=', filters.state ?? 'deleted')
  const found = narrowed(rows, filters, {
    // Already narrowed below, with or without this filter.
    state: (query) => query,
    language: (query, language) => query.where('post.language', '=', language),
    missing: (query, language) => query.where('post.language', '!=', language).where(isWithout(language)),
    due: (query) => query.where(isPostDue('post')),
    q: (query, words) =>
      words
        .split(/\s+/u)
        .filter(Boolean)
        .reduce(
          (found, word) => found.where(sql<SqlBool>`position(lower(${word}) in lower(post.title)) > 0`),
          query,
        ),
  })
  return readPage(found, page, { at: 'post.changed_at', id: 'post.id' })
}
