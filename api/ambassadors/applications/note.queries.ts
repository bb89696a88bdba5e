import type { Tx } from '../../db/database.ts'
import { staffName } from '../../db/expressions.ts'

export async function insertNote(
  db: Tx,
  note: { applicationId: string; authorId: string; text: string },
): Promise<void> {
  await db
    .insertInto('ambassador_note')
    .values({ application_id: note.applicationId, author_id: note.authorId, text: note.text })
    .execute()
}

/** Lists notes, newest first. */
export const listNotes = (db: Tx, applicationId: string, limit: number) =>
  db
    .selectFrom('ambassador_note')
    .leftJoin('member', (join) =>
      join.onRef('member.id', '=', 'ambassador_note.author_id').on('member.erased_at', 'is', null),
    )
    .select(['ambassador_note.id', 'text', 'at', 'author_id', staffName('member').as('author')])
    .where('application_id', '=', applicationId)
    .orderBy('at', 'desc')
    .orderBy('ambassador_note.id', 'desc')
    .limit(limit)
    .execute()

/** Deletes a note. Author to match; null matches any author. */
export async function deleteNote(
  db: Tx,
  applicationId: string,
  noteId: string,
  authorId: string | null,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('ambassador_note')
    .where('id', '=', noteId)
    .where('application_id', '=', applicationId)
    .$if(authorId !== null, (query) => query.where('author_id', '=', authorId))
    .executeTakeFirst()
  return numDeletedRows > 0n
}
