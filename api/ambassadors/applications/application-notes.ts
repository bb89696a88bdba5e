import type { api } from '#contract/api.ts'
import { recordAudit } from '../../audit/audit.queries.ts'
import { transaction } from '../../db/database.ts'
import type { Handler } from '../../http/handler.ts'
import { Refused } from '../../refused.ts'
import { deleteNote, insertNote } from './note.queries.ts'
import { lockApplication } from './open-application.ts'
import { presentApplication } from './present-application.ts'

export const addApplicationNote: Handler<typeof api.addApplicationNote> = (
  { params, body },
  { db, config, caller },
) =>
  transaction(db, async (db) => {
    const { id } = await lockApplication(db, params.id, caller)
    await insertNote(db, { applicationId: id, authorId: caller.memberId, text: body.text })
    return presentApplication(db, config, caller, id)
  })

export const removeApplicationNote: Handler<typeof api.removeApplicationNote> = (
  { params },
  { db, config, caller },
) =>
  transaction(db, async (db) => {
    const { id } = await lockApplication(db, params.id, caller)
    const author = caller.rights.isWriteAccessAdmin ? null : caller.memberId
    if (!(await deleteNote(db, id, params.noteId, author))) throw new Refused('not_found')
    await recordAudit(db, {
      actorId: caller.memberId,
      action: 'ambassador-application-note-removed',
      subjectKind: 'ambassador-application',
      subjectId: id,
    })
    return presentApplication(db, config, caller, id)
  })
