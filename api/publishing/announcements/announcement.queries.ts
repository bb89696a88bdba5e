import { sql, type Selectable } from 'kysely'
import { DAY } from '#contract/platform/durations.ts'
import type { Language } from '#contract/platform/fields.ts'
import { trashDays, type AnnouncementState } from '#contract/publishing/announcements.ts'
import { columnsOf } from '../../platform/db/columns-of.ts'
import type { Tx } from '../../platform/db/database.ts'
import { ago } from '../../platform/db/expressions.ts'
import type { Announcement as AnnouncementTable } from '../../platform/db/rows.ts'
import type { ChosenCard } from '../pictures/store-picture.ts'
import { readingMinutesOf } from './reading-minutes.ts'
import { gramsOf, searchTextOf } from './search-text.ts'
import { slugFor } from './slug.queries.ts'
import { insertVersion } from './versions/version.queries.ts'

export type AnnouncementContent = {
  title: string
  category: string
  language: Language
  content: string
  contentSummary: string
}

/** Locks a row without reading the columns that only the search needs. */
const lockRow = (db: Tx, id: string) =>
  db
    .selectFrom('announcement')
    .select([
      'id',
      'slug',
      'title',
      'category',
      'language',
      'content',
      'content_summary',
      'state',
      'version',
      'posted_at',
      'edited_at',
      'publish_at',
      'publish_zone',
      'state_before_trash',
      'created_by',
    ])
    .where('id', '=', id)
    .forUpdate()

/** Locks a post, so that the second of two editors sees the change of the first. */
export const lockAnnouncement = (db: Tx, id: string) =>
  lockRow(db, id).where('state', '!=', 'deleted').executeTakeFirst()

export const lockTrashed = (db: Tx, id: string) =>
  lockRow(db, id).where('state', '=', 'deleted').executeTakeFirst()

export type AnnouncementStored = NonNullable<Awaited<ReturnType<typeof lockAnnouncement>>>

export const findAnnouncementState = (db: Tx, id: string) =>
  db.selectFrom('announcement').select('state').where('id', '=', id).executeTakeFirst()

/** Returns the address of a post that is not in the trash. */
export const findAnnouncementPlace = (db: Tx, id: string) =>
  db
    .selectFrom('announcement')
    .select(['slug', 'language'])
    .where('id', '=', id)
    .where('state', '!=', 'deleted')
    .executeTakeFirst()

/** Returns the other language's version of the post, unless it is in the trash. */
export const findSibling = (db: Tx, { slug, language }: Pick<AnnouncementStored, 'slug' | 'language'>) =>
  db
    .selectFrom('announcement')
    .select(['id', 'state'])
    .where('slug', '=', slug)
    .where('language', '!=', language)
    .where('state', '!=', 'deleted')
    .executeTakeFirst()

/**
 * Where a new post goes: the address of the post it translates, or a new one; and when it is published. `id` is the ID
 * of a post imported from an earlier site.
 */
type Placing = { id?: string; slug?: string | undefined; schedule?: Schedule | undefined }
export type Schedule = { publishAt: Date; zone: string }

/** Inserts a draft or a scheduled post. Only `markPublished` makes it public. */
export async function insertAnnouncement(
  db: Tx,
  content: AnnouncementContent,
  createdBy: string | null,
  { id: given, slug, schedule }: Placing = {},
): Promise<string> {
  const { id } = await db
    .insertInto('announcement')
    .values({
      ...columnsOfContent(content),
      ...columnsOfSchedule(schedule),
      ...(given !== undefined && { id: given }),
      state: schedule ? 'scheduled' : 'draft',
      slug: slug ?? (await slugFor(db, content.title)),
      created_by: createdBy,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await insertVersion(db, { postId: id, n: 1 }, content, { by: createdBy })
  return id
}

/** Two edits within a millisecond must still differ, because conflicts are detected by `lastEdited`. */
const nextEdit = sql<Date>`greatest(now(), edited_at + interval '1 millisecond')`

/** Saves the text as the newest version. */
export async function updateAnnouncementRow(
  db: Tx,
  { id, version }: Pick<Selectable<AnnouncementTable>, 'id' | 'version'>,
  content: AnnouncementContent,
  saved: { by: string; restoredFrom?: number | undefined },
): Promise<void> {
  const n = version + 1
  await db
    .updateTable('announcement')
    .set({ ...columnsOfContent(content), version: n })
    .where('id', '=', id)
    .execute()
  await insertVersion(db, { postId: id, n }, content, saved)
}

/** Records that someone saved, whether or not the text changed. */
export async function markEdited(db: Tx, id: string, by: string): Promise<void> {
  await db
    .updateTable('announcement')
    .set({ edited_at: nextEdit, edited_by: by, changed_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute()
}

/** How a post is presented. Undefined parts keep their stored value. `byline` is the ID of the author's account. */
export type Presentation = { card?: ChosenCard | null | undefined; byline?: string | null | undefined }

export async function updatePresentation(db: Tx, id: string, { card, byline }: Presentation): Promise<void> {
  if (card === undefined && byline === undefined) return
  await db
    .updateTable('announcement')
    .set({
      ...(card !== undefined && {
        card_picture: card?.name ?? null,
        card_height: card?.height ?? null,
        card_alt: card?.alt ?? null,
      }),
      ...(byline !== undefined && { byline }),
    })
    .where('id', '=', id)
    .execute()
}

export async function markMoved(db: Tx, id: string): Promise<void> {
  await db
    .updateTable('announcement')
    .set({ changed_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute()
}

/** Moves the post to a state that is not public. Clears its schedule unless one is given. */
export async function updateState(
  db: Tx,
  id: string,
  state: 'draft' | 'scheduled',
  schedule?: Schedule,
): Promise<void> {
  await db
    .updateTable('announcement')
    .set({ ...columnsOfSchedule(schedule), ...outOfTrash, state, changed_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute()
}

/**
 * Publishes a post. Its date is that of its first publication, however often it is unpublished and published again.
 * Returns its slug.
 */
export const setPublished = (db: Tx, id: string) =>
  db
    .updateTable('announcement')
    .set({
      ...columnsOfSchedule(undefined),
      ...outOfTrash,
      state: 'published',
      posted_at: sql<Date>`case when exists (
          select from announcement_version v where v.announcement_id = announcement.id and v.published_at is not null
        ) then posted_at else now() end`,
      changed_at: sql<Date>`now()`,
    })
    .where('id', '=', id)
    .returning('slug')
    // The state before this statement.
    .returning(
      sql<AnnouncementState>`(select before.state from announcement before where before.id = announcement.id)`.as(
        'state_before',
      ),
    )
    .executeTakeFirstOrThrow()

/** Returns the fields of a public post that may leave the system, for example in a webhook. */
export const findPublishedFacts = (db: Tx, id: string) =>
  db
    .selectFrom('announcement')
    .select(['language', 'version', 'posted_at'])
    .where('id', '=', id)
    .where('state', '=', 'published')
    .executeTakeFirstOrThrow()

/** Moves a post to the trash and revokes its preview link; its schedule stays in case the post is restored in time. */
export async function trashAnnouncement(db: Tx, id: string, by: string): Promise<boolean> {
  const row = await db
    .updateTable('announcement')
    .set({
      state: 'deleted',
      state_before_trash: sql<AnnouncementState>`state`,
      deleted_at: sql<Date>`now()`,
      deleted_by: by,
      preview_hash: null,
      preview_until: null,
      changed_at: sql<Date>`now()`,
    })
    .where('id', '=', id)
    .where('state', '!=', 'deleted')
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export const emptyTrash = (db: Tx) =>
  db
    .deleteFrom('announcement')
    // Written as a literal, as in the index.
    .where(sql<boolean>`state = 'deleted'`)
    .where('deleted_at', '<', ago(trashDays * DAY))
    .execute()

const outOfTrash = { state_before_trash: null, deleted_at: null, deleted_by: null }

const columnsOfSchedule = (schedule: Schedule | undefined) => ({
  publish_at: schedule?.publishAt ?? null,
  publish_zone: schedule?.zone ?? null,
})

const contentColumns = {
  title: 'title',
  category: 'category',
  language: 'language',
  content: 'content',
  contentSummary: 'content_summary',
} as const satisfies Record<keyof AnnouncementContent, keyof AnnouncementStored>

function columnsOfContent(content: AnnouncementContent) {
  const searchText = searchTextOf(content.title, content.content)
  return {
    ...columnsOf(contentColumns, content),
    reading_minutes: readingMinutesOf(content.content),
    search_text: searchText,
    search_grams: gramsOf(searchText),
  }
}
