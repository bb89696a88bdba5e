import type { api } from '#contract/api.ts'
import { recordAudit } from '../../audit/audit.queries.ts'
import { transaction } from '../../db/database.ts'
import type { Handler } from '../../http/handler.ts'
import { Refused, refusedField } from '../../refused.ts'
import { isOpen } from './application.rules.ts'
import { findColleague } from './colleague.queries.ts'
import { isAsRead, lockApplication } from './open-application.ts'
import { presentApplication } from './present-application.ts'
import { changeApplication, insertStep } from './step.queries.ts'

/** Assigns an application to someone who may act on it. A decided one stays with its assignee. */
export const assignAmbassadorApplication: Handler<typeof api.assignAmbassadorApplication> = (
  { params, body },
  { db, config, caller },
) =>
  transaction(db, async (db) => {
    const row = await lockApplication(db, params.id, caller)
    if (!isOpen(row.status) || !isAsRead(row, body.lastUpdated)) throw new Refused('conflict')
    const { to } = body
    if (to !== null && !(await findColleague(db, config, to, row.id))) throw refusedField('to', 'one_of')
    if (to === row.assignee_id) return presentApplication(db, config, caller, row.id)
    await changeApplication(db, row.id, { assignee_id: to })
    const kind = to === null ? 'released' : 'assigned'
    await insertStep(db, { applicationId: row.id, kind, byId: caller.memberId, toId: to })
    await recordAudit(db, {
      actorId: caller.memberId,
      action: 'ambassador-application-assigned',
      subjectKind: 'ambassador-application',
      subjectId: row.id,
      detail: { to: to ?? 'nobody' },
    })
    return presentApplication(db, config, caller, row.id)
  })
