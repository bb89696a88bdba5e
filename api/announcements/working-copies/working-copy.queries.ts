import { sql } from 'kysely'
import type { Language } from '#contract/fields.ts'
import { workingCopiesBytesMax, workingCopiesMax } from '#contract/newsroom.ts'
import type { Tx } from '../../db/database.ts'

/** One member's copies are kept one after the other: two browsers of theirs may save at once. */
export const lockWorkingCopies = (db: Tx, memberId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`working copies ${memberId}`}, 0))`.execute(db)

/** Kept from being removed meanwhile. Taken before the lock of copies, as whoever saves the post does. */
export const holdAnnouncement = (db: Tx, id: string) =>
  db.selectFrom('announcement').select('id').where('id', '=', id).forKeyShare().executeTakeFirst()

type Kept = {
  id: string
  memberId: string
  postId: string | null
  translationOf: string | null
  title: string
  category: string
  language: Language
  content: string
  basedOn: string | null
}

/** Undefined where the id is somebody else's, or where the copy has ended: what was sent before that came too late. */
export async function upsertWorkingCopy(db: Tx, copy: Kept): Promise<Date | undefined> {
  const columns = {
    announcement_id: copy.postId,
    translation_of: copy.translationOf,
    title: copy.title,
    category: copy.category,
    language: copy.language,
    content: copy.content,
    based_on: copy.basedOn,
    saved_at: sql<Date>`clock_timestamp()`,
  }
  const row = await db
    .insertInto('announcement_working_copy')
    .values({ id: copy.id, member_id: copy.memberId, ...columns })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet(columns)
        .where('announcement_working_copy.member_id', '=', copy.memberId)
        .where('announcement_working_copy.ended_at', 'is', null),
    )
    .returning('saved_at')
    .executeTakeFirst()
  return row?.saved_at
}

/** What the member keeps of the post under another id: another browser's. */
export const deleteOtherCopyOfPost = (db: Tx, memberId: string, postId: string, id: string) =>
  db
    .deleteFrom('announcement_working_copy')
    .where('member_id', '=', memberId)
    .where('announcement_id', '=', postId)
    .where('id', '!=', id)
    .execute()

/** Too many, or too much together. */
export const deleteCopiesBeyondMax = (db: Tx, memberId: string) =>
  sql`
    delete from announcement_working_copy where id in (
      select id from (
        select id, row_number() over newest as place, sum(octet_length(content)) over newest as bytes
        from announcement_working_copy where member_id = ${memberId} and ended_at is null
        window newest as (order by saved_at desc, id desc)
      ) kept
      where place > ${workingCopiesMax} or (place > 1 and bytes > ${workingCopiesBytesMax}))`.execute(db)

/** Without the content, which may be megabytes. */
const selectCopies = (db: Tx, memberId: string) =>
  db
    .selectFrom('announcement_working_copy as copy')
    .leftJoin('announcement as post', (join) =>
      join.on((on) => on('post.id', '=', on.fn.coalesce('copy.announcement_id', 'copy.translation_of'))),
    )
    .select([
      'copy.id',
      'copy.announcement_id',
      'copy.translation_of',
      'post.title as post_title',
      'copy.title',
      'copy.category',
      'copy.language',
      'copy.based_on',
      'copy.saved_at',
    ])
    .where('copy.member_id', '=', memberId)
    .where('copy.ended_at', 'is', null)
    .orderBy('copy.saved_at', 'desc')
    .orderBy('copy.id', 'desc')

export type WorkingCopyRow = Awaited<ReturnType<typeof listWorkingCopiesOf>>[number]

export const listWorkingCopiesOf = (db: Tx, memberId: string) => selectCopies(db, memberId).execute()

export const listWholeWorkingCopiesOf = (db: Tx, memberId: string) =>
  selectCopies(db, memberId).select('copy.content').execute()

export const findWorkingCopy = (db: Tx, memberId: string, id: string) =>
  selectCopies(db, memberId).select('copy.content').where('copy.id', '=', id).executeTakeFirst()

const ended = {
  announcement_id: null,
  translation_of: null,
  title: '',
  category: '',
  content: '',
  based_on: null,
  ended_at: sql<Date>`clock_timestamp()`,
}

/** Its text was saved as a post. One that has not arrived yet ends as well. */
export const endWorkingCopy = (db: Tx, memberId: string, id: string, language: Language) =>
  db
    .insertInto('announcement_working_copy')
    .values({ id, member_id: memberId, language, ...ended })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet(ended).where('announcement_working_copy.member_id', '=', memberId),
    )
    .execute()

export async function hasWorkingCopies(db: Tx, memberId: string): Promise<boolean> {
  const row = await db
    .selectFrom('announcement_working_copy')
    .select('id')
    .where('member_id', '=', memberId)
    .where('ended_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function dropWorkingCopyOf(db: Tx, memberId: string, id: string): Promise<boolean> {
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

export const deleteWorkingCopiesOfMember = (db: Tx, memberId: string) =>
  db.deleteFrom('announcement_working_copy').where('member_id', '=', memberId).execute()

/** Nothing that was sent is under way longer than a day. */
export const deleteOldWorkingCopies = (db: Tx) =>
  db
    .deleteFrom('announcement_working_copy')
    .where(({ eb, or }) =>
      or([
        eb('saved_at', '<', sql<Date>`now() - interval '90 days'`),
        eb('ended_at', '<', sql<Date>`now() - interval '1 day'`),
      ]),
    )
    .execute()
