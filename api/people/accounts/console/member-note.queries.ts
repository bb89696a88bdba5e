import type { MemberNote } from '#contract/people/console-members.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { readPage, type Page } from '../../../platform/db/read-page.ts'
import { staffName } from '../../../platform/db/expressions.ts'

export async function insertMemberNote(
  db: Tx,
  note: { memberId: string; kind: MemberNote['kind']; authorId: string; text: string },
): Promise<void> {
  await db
    .insertInto('member_note')
    .values({ member_id: note.memberId, kind: note.kind, author_id: note.authorId, text: note.text })
    .execute()
}

export const listMemberNotes = (db: Tx, memberId: string, page: Page) =>
  readPage(
    db
      .selectFrom('member_note')
      .leftJoin('member', 'member.id', 'member_note.author_id')
      .select(['member_note.id', 'kind', 'text', 'at', 'author_id', staffName('member').as('author')])
      .where('member_id', '=', memberId),
    page,
    { at: 'at', id: 'member_note.id' },
  )

/** Deletes a note that is not the reason of an action. Owner to match; null matches any owner. */
export async function deleteMemberNote(
  db: Tx,
  memberId: string,
  noteId: string,
  authorId: string | null,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('member_note')
    .where('id', '=', noteId)
    .where('member_id', '=', memberId)
    .where('kind', '=', 'note')
    .$if(authorId !== null, (query) => query.where('author_id', '=', authorId))
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function deleteNotesOfMember(db: Tx, memberId: string): Promise<void> {
  await db.deleteFrom('member_note').where('member_id', '=', memberId).execute()
}
