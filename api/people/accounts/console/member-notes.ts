import type { api } from '#contract/api.ts'
import { recordAudit } from '../../../platform/audit/audit.queries.ts'
import { transaction } from '../../../platform/db/database.ts'
import { eachPage } from '../../../platform/db/each-page.ts'
import type { Handler } from '../../../platform/http/handler.ts'
import { findMemberById } from '../../members/member.queries.ts'
import type { Source } from '../../../platform/module.ts'
import { Refused } from '../../../platform/refused.ts'
import { deleteMemberNote, insertMemberNote, listMemberNotes } from './member-note.queries.ts'
import { presentMember } from './read-member.ts'

export const addMemberNote: Handler<typeof api.addMemberNote> = ({ params, body }, { db, config, caller }) =>
  transaction(db, async (db) => {
    const member = await findMemberById(db, params.id)
    if (!member || member.erased_at) throw new Refused('not_found')
    await insertMemberNote(db, {
      memberId: member.id,
      kind: 'note',
      authorId: caller.memberId,
      text: body.text,
    })
    return presentMember(db, config, caller, member.id)
  })

export const removeMemberNote: Handler<typeof api.removeMemberNote> = ({ params }, { db, config, caller }) =>
  transaction(db, async (db) => {
    const author = caller.rights.isWriteAccessAdmin ? null : caller.memberId
    if (!(await deleteMemberNote(db, params.id, params.noteId, author))) throw new Refused('not_found')
    await recordAudit(db, {
      actorId: caller.memberId,
      action: 'note-removed',
      subjectKind: 'member',
      subjectId: params.id,
    })
    return presentMember(db, config, caller, params.id)
  })

const pageSize = 100

/**
 * The law gives members access to notes about them (GDPR, article 15); the author's name is the colleague's own
 * data.
 */
export async function* readStaffNotes({ db, member }: Source) {
  const rows = eachPage((after) => listMemberNotes(db, member.id, { limit: pageSize, after }))
  for await (const { kind, text, at } of rows) yield { at: at.toISOString(), on: kind, text }
}
