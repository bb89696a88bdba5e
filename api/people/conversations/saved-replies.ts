import type { api } from '#contract/api.ts'
import type { SavedReply } from '#contract/people/console-conversations.ts'
import { recordAudit } from '../../platform/audit/audit.queries.ts'
import { transaction, type Tx } from '../../platform/db/database.ts'
import type { Handler } from '../../platform/http/handler.ts'
import { Refused } from '../../platform/refused.ts'
import {
  deleteReplyRow,
  findReply,
  insertReply,
  listReplies,
  lockReply,
  updateReply,
  type ReplyRow,
} from './saved-reply.queries.ts'

const present = ({ id, title, text_en, text_cn, updated_at, by }: ReplyRow): SavedReply => ({
  id,
  title,
  en: text_en,
  cn: text_cn,
  updatedAt: updated_at.toISOString(),
  by,
})

const record = (
  db: Tx,
  actorId: string,
  subjectId: string,
  action: 'saved-reply-saved' | 'saved-reply-deleted',
) => recordAudit(db, { actorId, action, subjectKind: 'saved-reply', subjectId })

export const listSavedReplies: Handler<typeof api.listSavedReplies> = async (_, { db }) =>
  (await listReplies(db)).map(present)

export const saveReply: Handler<typeof api.saveReply> = ({ body }, { db, caller }) =>
  transaction(db, async (db) => {
    const reply = { title: body.title, text_en: body.en, text_cn: body.cn, updated_by: caller.memberId }
    let { id } = body
    if (id === undefined) id = await insertReply(db, reply)
    else {
      const row = await lockReply(db, id)
      if (!row) throw new Refused('not_found')
      if (row.updated_at.toISOString() !== body.updatedAt) throw new Refused('conflict')
      await updateReply(db, id, reply)
    }
    await record(db, caller.memberId, id, 'saved-reply-saved')
    return present((await findReply(db, id))!)
  })

export const deleteReply: Handler<typeof api.deleteReply> = ({ params: { id } }, { db, caller }) =>
  transaction(db, async (db) => {
    if (!(await deleteReplyRow(db, id))) throw new Refused('not_found')
    await record(db, caller.memberId, id, 'saved-reply-deleted')
    return { deleted: true }
  })
