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
  title: string
  category: string
  language: Language
  content: string
  basedOn: string | null
}

/** Undefined where the id is somebody else's. */
export async function upsertWorkingCopy(db: Tx, copy: Kept): Promise<Date | undefined> {
  const columns = {
    announcement_id: copy.postId,
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
        .where('announcement_working_copy.member_id', '=', copy.memberId),
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

/** Too many, or too much together: all of them are answered at once. */
export const deleteCopiesBeyondMax = (db: Tx, memberId: string) =>
  sql`
    delete from announcement_working_copy where id in (
      select id from (
        select id, row_number() over newest as place, sum(octet_length(content)) over newest as bytes
        from announcement_working_copy where member_id = ${memberId}
        window newest as (order by saved_at desc, id desc)
      ) kept
      where place > ${workingCopiesMax} or (place > 1 and bytes > ${workingCopiesBytesMax}))`.execute(db)

export const listWorkingCopiesOf = (db: Tx, memberId: string) =>
  db
    .selectFrom('announcement_working_copy')
    .selectAll()
    .where('member_id', '=', memberId)
    .orderBy('saved_at', 'desc')
    .orderBy('id', 'desc')
    .execute()

export async function hasWorkingCopies(db: Tx, memberId: string): Promise<boolean> {
  const row = await db
    .selectFrom('announcement_working_copy')
    .select('id')
    .where('member_id', '=', memberId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function deleteWorkingCopy(db: Tx, memberId: string, id: string): Promise<boolean> {
  const row = await db
    .deleteFrom('announcement_working_copy')
    .where('id', '=', id)
    .where('member_id', '=', memberId)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export const deleteWorkingCopiesOfMember = (db: Tx, memberId: string) =>
  db.deleteFrom('announcement_working_copy').where('member_id', '=', memberId).execute()

export const deleteOldWorkingCopies = (db: Tx) =>
  db
    .deleteFrom('announcement_working_copy')
    .where('saved_at', '<', sql<Date>`now() - interval '90 days'`)
    .execute()
