import type { api } from '#contract/api.ts'
import { recordAudit } from '../../audit/audit.queries.ts'
import { transaction } from '../../db/database.ts'
import type { Handler } from '../../http/handler.ts'
import { Refused } from '../../refused.ts'
import { deleteApplication } from './application.queries.ts'
import { lockApplication } from './open-application.ts'

/** The receipt promises it to whoever did not apply. */
export const eraseAmbassadorApplication: Handler<typeof api.eraseAmbassadorApplication> = (
  { params },
  { db, caller },
) =>
  transaction(db, async (db) => {
    const row = await lockApplication(db, params.id, caller)
    if (row.status === 'accepted') throw new Refused('conflict')
    await deleteApplication(db, row.id)
    await recordAudit(db, {
      actorId: caller.memberId,
      action: 'ambassador-application-erased',
      subjectKind: 'ambassador-application',
      subjectId: row.id,
    })
    return { erased: true }
  })
