import { sql, type Insertable } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { staffName } from '../../platform/db/expressions.ts'
import type { SavedReply } from '../../platform/db/rows.ts'

const selected = (db: Tx) =>
  db
    .selectFrom('saved_reply')
    .leftJoin('member', (join) =>
      join.onRef('member.id', '=', 'saved_reply.updated_by').on('member.erased_at', 'is', null),
    )
    .select(['saved_reply.id', 'title', 'text_en', 'text_cn', 'saved_reply.updated_at'])
    .select(staffName('member').as('by'))

const repliesMax = 500

export const listReplies = (db: Tx) => selected(db).orderBy('title').limit(repliesMax).execute()
export type ReplyRow = Awaited<ReturnType<typeof listReplies>>[number]

export const findReply = (db: Tx, id: string) =>
  selected(db).where('saved_reply.id', '=', id).executeTakeFirst()

export const lockReply = (db: Tx, id: string) =>
  db.selectFrom('saved_reply').select('updated_at').where('id', '=', id).forUpdate().executeTakeFirst()

type Reply = Pick<Insertable<SavedReply>, 'title' | 'text_en' | 'text_cn' | 'updated_by'>

export async function insertReply(db: Tx, reply: Reply): Promise<string> {
  const { id } = await db.insertInto('saved_reply').values(reply).returning('id').executeTakeFirstOrThrow()
  return id
}

export const updateReply = (db: Tx, id: string, reply: Reply) =>
  db
    .updateTable('saved_reply')
    .set({
      ...reply,
      updated_at: sql<Date>`greatest(clock_timestamp(), updated_at + interval '1 millisecond')`,
    })
    .where('id', '=', id)
    .execute()

export async function deleteReplyRow(db: Tx, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('saved_reply').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}
