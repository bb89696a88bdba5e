import type { api } from '#contract/api.ts'
import { noteLengthMax } from '#contract/kyc-review.ts'
import { recordAudit } from '../../audit/audit.queries.ts'
import { transaction } from '../../db/database.ts'
import type { Handler } from '../../http/handler.ts'
import { Refused, refusedField } from '../../refused.ts'
import { updateKycRow } from '../kyc.queries.ts'
import { canDecide, needsReason } from '../kyc.rules.ts'
import { applyTransition } from '../apply-transition.ts'
import { assignCase, markFinal, proposeFinal } from './case.queries.ts'
import { requireOwnCase } from './require-own-case.ts'
import { presentCaseNow } from './present-case.ts'

/**
 * One officer decides. If so configured, a final refusal takes two: the first proposes and releases the case, the second
 * confirms. Any other decision withdraws the proposal.
 */
export const decideKycCase: Handler<typeof api.decideKycCase> = ({ params, body }, context) => {
  const { caller, config } = context
  const reason = body.reason?.trim() ?? ''
  return transaction(context.db, async (db) => {
    const row = await requireOwnCase(db, params.id, caller.memberId)
    if (body.isFinal && body.status !== 'rejected') throw refusedField('isFinal', 'invalid')
    if (!canDecide(row.status, body.status)) throw new Refused('conflict')
    if (needsReason(body.status) && reason === '') throw refusedField('reason', 'required')
    const isProposal =
      body.isFinal === true &&
      config.isFourEyesRequired &&
      (row.final_proposed_by === null || row.final_proposed_by === caller.memberId)
    if (isProposal) {
      if (row.final_proposed_by === caller.memberId) throw new Refused('conflict')
      await proposeFinal(db, row.id, caller.memberId)
      // The member must not see a reason before the decision: until then it is stored with the proposal, for the second officer.
      const note = [body.note?.trim() ?? row.note, reason].filter(Boolean).join('\n\n')
      await updateKycRow(db, row.id, { note: note.slice(0, noteLengthMax) })
      await assignCase(db, row.id, null)
      await recordAudit(db, {
        actorId: caller.memberId,
        action: 'kyc-final-proposed',
        subjectKind: 'kyc',
        subjectId: row.id,
      })
    } else {
      await applyTransition(db, row, { ...body, reason }, context)
      if (body.isFinal) await markFinal(db, row.id)
      else await proposeFinal(db, row.id, null)
      if (body.status === 'in_review') await assignCase(db, row.id, caller.memberId)
    }
    return presentCaseNow(db, row.id)
  })
}
