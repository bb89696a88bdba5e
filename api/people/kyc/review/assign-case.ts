import { api } from '#contract/api.ts'
import { recordAudit } from '../../../platform/audit/audit.queries.ts'
import { transaction } from '../../../platform/db/database.ts'
import type { Handler } from '../../../platform/http/handler.ts'
import { Refused } from '../../../platform/refused.ts'
import { serveBulk } from '../../../platform/resource/serve-bulk.ts'
import { beginReview } from '../apply-transition.ts'
import { sharesWithOwnRejection } from '../fingerprint.queries.ts'
import { lockKyc } from '../kyc.queries.ts'
import { isOpen } from '../kyc.rules.ts'
import { assignCase } from './case.queries.ts'
import { presentCaseNow } from './present-case.ts'

/** An assigned case is in review; a decided one is unassigned. */
export const assignKycCase: Handler<typeof api.assignKycCase> = ({ params, body }, context) =>
  transaction(context.db, async (db) => {
    const { caller } = context
    const row = await lockKyc(db, params.id)
    if (!row) throw new Refused('not_found')
    if (row.member_id === caller.memberId) throw new Refused('forbidden')
    const isAssignedToOther = row.assignee_id !== null && row.assignee_id !== caller.memberId
    // Officers can always release their own cases.
    if (
      (isAssignedToOther || body.to === 'me') &&
      (await sharesWithOwnRejection(db, caller.memberId, row.id))
    )
      throw new Refused('forbidden')
    if (!isOpen(row.status) || (isAssignedToOther && !body.takeOver)) throw new Refused('conflict')
    if (body.to === 'me') await beginReview(db, row, context)
    await assignCase(db, row.id, body.to === 'me' ? caller.memberId : null)
    await recordAudit(db, {
      actorId: caller.memberId,
      action: 'kyc-assigned',
      subjectKind: 'kyc',
      subjectId: row.id,
      detail: { to: body.to, isTakenOver: isAssignedToOther },
    })
    return presentCaseNow(db, row.id)
  })

export const assignKycCases = serveBulk(api.assignKycCases, api.assignKycCase, {
  handle: assignKycCase,
  input: ({ id }, { to, takeOver }) => ({ params: { id }, body: { to, takeOver } }),
})
