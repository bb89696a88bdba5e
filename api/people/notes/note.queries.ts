import { sql, type SqlBool } from 'kysely'
import type { MemberNote } from '#contract/people/console-members.ts'
import type { NotedKind } from '#contract/people/mentions.ts'
import type { Tx } from '../../platform/db/database.ts'
import { staffName } from '../../platform/db/expressions.ts'
import { readPage, type Page } from '../../platform/db/read-page.ts'

/** The column that names the record a note is about, by the kind of record in the audit log. */
export const notedColumns = {
  member: 'member_id',
  order: 'order_id',
  kyc: 'application_id',
  'ambassador-application': 'ambassador_application_id',
} as const satisfies Record<NotedKind, string>
export type NotedRecord = { kind: NotedKind; id: string }

type NewNote = { authorId: string; text: string; kind?: MemberNote['kind'] }

/** Inserts a note or, with another kind, the reason of an action on an account. */
export async function insertNote(
  db: Tx,
  about: NotedRecord,
  { authorId, text, kind = 'note' }: NewNote,
): Promise<string> {
  const { id } = await db
    .insertInto('staff_note')
    .values({ [notedColumns[about.kind]]: about.id, author_id: authorId, text, kind })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Lists notes, newest first. The name of an erased author is null. */
export const listNotes = (db: Tx, { kind, id }: NotedRecord, page: Page) =>
  readPage(
    db
      .selectFrom('staff_note')
      .leftJoin('member', (join) =>
        join.onRef('member.id', '=', 'staff_note.author_id').on('member.erased_at', 'is', null),
      )
      .select(['staff_note.id', 'kind', 'text', 'at', 'author_id', staffName('member').as('by')])
      .where(`staff_note.${notedColumns[kind]}`, '=', id),
    page,
    { at: 'at', id: 'staff_note.id' },
  )

/** Deletes a note that is not the reason of an action. Author to match; null matches any author. */
export async function deleteNote(
  db: Tx,
  { kind, id }: NotedRecord,
  noteId: string,
  authorId: string | null,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('staff_note')
    .where('id', '=', noteId)
    .where(notedColumns[kind], '=', id)
    .where('kind', '=', 'note')
    .$if(authorId !== null, (query) => query.where('author_id', '=', authorId))
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export const deleteNotesAbout = (db: Tx, { kind, id }: NotedRecord) =>
  db.deleteFrom('staff_note').where(notedColumns[kind], '=', id).execute()

/** Deletes the notes about a member, and about their orders and identity applications, which may be retained. */
export const deleteNotesOfMember = (db: Tx, memberId: string) =>
  db
    .deleteFrom('staff_note')
    .where(
      sql<SqlBool>`member_id = ${memberId}
        or order_id in (select id from token_order where member_id = ${memberId})
        or application_id in (select id from kyc_application where member_id = ${memberId})`,
    )
    .execute()
