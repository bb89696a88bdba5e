import { sql } from 'kysely'
import { DAY } from '#contract/platform/durations.ts'
import type { Language } from '#contract/platform/fields.ts'
import type { BylineChoice } from '#contract/publishing/announcements.ts'
import { autosavesBytesMax, autosavesMax } from '#contract/publishing/newsroom.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { ago } from '../../../platform/db/expressions.ts'

/** Serializes one member's autosaves, because two of their browsers may save at once. */
export const lockAutosaves = (db: Tx, memberId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`working copies ${memberId}`}, 0))`.execute(db)

/** Locks the post against removal, before the lock on autosaves: the same order as in saving the post. */
export const holdAnnouncement = (db: Tx, id: string) =>
  db.selectFrom('announcement').select('id').where('id', '=', id).forKeyShare().executeTakeFirst()

type GivenAutosave = {
  id: string
  memberId: string
  postId: string | null
  translationOf: string | null
  title: string
  category: string
  language: Language
  content: string
  /** Undefined: as in the post; null: chosen automatically. */
  card?: { src: string; alt: string } | null | undefined
  byline?: BylineChoice | undefined
  basedOn: string | null
}

/**
 * Stores an autosave. Undefined if the ID belongs to someone else or the autosave has ended, so that the request
 * arrived too late.
 */
export async function upsertAutosave(db: Tx, autosave: GivenAutosave): Promise<Date | undefined> {
  const columns = {
    announcement_id: autosave.postId,
    translation_of: autosave.translationOf,
    title: autosave.title,
    category: autosave.category,
    language: autosave.language,
    content: autosave.content,
    card_src: autosave.card === undefined ? null : (autosave.card?.src ?? ''),
    card_alt: autosave.card?.alt ?? null,
    byline: autosave.byline ?? null,
    based_on: autosave.basedOn,
    saved_at: sql<Date>`clock_timestamp()`,
  }
  const row = await db
    .insertInto('announcement_working_copy')
    .values({ id: autosave.id, member_id: autosave.memberId, ...columns })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet(columns)
        .where('announcement_working_copy.member_id', '=', autosave.memberId)
        .where('announcement_working_copy.ended_at', 'is', null),
    )
    .returning('saved_at')
    .executeTakeFirst()
  return row?.saved_at
}

/** Deletes the member's autosave of the post under another ID, which comes from another browser. */
export const deleteOtherAutosaveOfPost = (db: Tx, memberId: string, postId: string, id: string) =>
  db
    .deleteFrom('announcement_working_copy')
    .where('member_id', '=', memberId)
    .where('announcement_id', '=', postId)
    .where('id', '!=', id)
    .execute()

/** Deletes the oldest autosaves of a member who has too many, or too many bytes in all. */
export const deleteAutosavesBeyondMax = (db: Tx, memberId: string) =>
  sql`
    delete from announcement_working_copy where id in (
      select id from (
        select id, row_number() over newest as place, sum(octet_length(content)) over newest as bytes
        from announcement_working_copy where member_id = ${memberId} and ended_at is null
        window newest as (order by saved_at desc, id desc)
      ) kept
      where place > ${autosavesMax} or (place > 1 and bytes > ${autosavesBytesMax}))`.execute(db)

/** Selects autosaves without their content, which may be megabytes. */
const selectAutosaves = (db: Tx, memberId: string) =>
  db
    .selectFrom('announcement_working_copy as autosave')
    .leftJoin('announcement as post', (join) =>
      join.on((on) =>
        on('post.id', '=', on.fn.coalesce('autosave.announcement_id', 'autosave.translation_of')),
      ),
    )
    .select([
      'autosave.id',
      'autosave.announcement_id',
      'autosave.translation_of',
      'post.title as post_title',
      'autosave.title',
      'autosave.category',
      'autosave.language',
      'autosave.based_on',
      'autosave.saved_at',
    ])
    .where('autosave.member_id', '=', memberId)
    .where('autosave.ended_at', 'is', null)
    .orderBy('autosave.saved_at', 'desc')
    .orderBy('autosave.id', 'desc')

export type AutosaveRow = Awaited<ReturnType<typeof listAutosavesOf>>[number]

export const listAutosavesOf = (db: Tx, memberId: string) => selectAutosaves(db, memberId).execute()

const selectWholeAutosaves = (db: Tx, memberId: string) =>
  selectAutosaves(db, memberId).select([
    'autosave.content',
    'autosave.card_src',
    'autosave.card_alt',
    'autosave.byline',
  ])

export type WholeAutosaveRow = Awaited<ReturnType<typeof listWholeAutosavesOf>>[number]

export const listWholeAutosavesOf = (db: Tx, memberId: string) => selectWholeAutosaves(db, memberId).execute()

export const findAutosave = (db: Tx, memberId: string, id: string) =>
  selectWholeAutosaves(db, memberId).where('autosave.id', '=', id).executeTakeFirst()

const ended = {
  announcement_id: null,
  translation_of: null,
  title: '',
  category: '',
  content: '',
  card_src: null,
  card_alt: null,
  byline: null,
  based_on: null,
  ended_at: sql<Date>`clock_timestamp()`,
}

/** Ends the autosave because its text was saved as a post. Requests still in flight are then ignored. */
export const endAutosave = (db: Tx, memberId: string, id: string, language: Language) =>
  db
    .insertInto('announcement_working_copy')
    .values({ id, member_id: memberId, language, ...ended })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet(ended).where('announcement_working_copy.member_id', '=', memberId),
    )
    .execute()

export async function hasAutosaves(db: Tx, memberId: string): Promise<boolean> {
  const row = await db
    .selectFrom('announcement_working_copy')
    .select('id')
    .where('member_id', '=', memberId)
    .where('ended_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function deleteAutosaveOf(db: Tx, memberId: string, id: string): Promise<boolean> {
  const row = await db
    .updateTable('announcement_working_copy')
    .set(ended)
    .where('id', '=', id)
    .where('member_id', '=', memberId)
    .where('ended_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export const deleteAutosavesOfMember = (db: Tx, memberId: string) =>
  db.deleteFrom('announcement_working_copy').where('member_id', '=', memberId).execute()

/** No request takes longer than a day to arrive. */
export const deleteOldAutosaves = (db: Tx) =>
  db
    .deleteFrom('announcement_working_copy')
    .where(({ eb, or }) => or([eb('saved_at', '<', ago(90 * DAY)), eb('ended_at', '<', ago(DAY))]))
    .execute()
