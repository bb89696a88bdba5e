import type { api } from '#contract/api.ts'
import { noteLengthMax } from '#contract/kyc-review.ts'
import { recordAudit } from '../../audit/audit.queries.ts'
import { transaction } from '../../db/database.ts'
import type { Handler } from '../../http/handler.ts'
import { getMemberById } from '../../members/member.queries.ts'
import { Refused, refusedField } from '../../refused.ts'
import { destroyDocuments } from '../kyc-erasure.queries.ts'
import { updateKycRow } from '../kyc.queries.ts'
import { notifyApplicant } from '../notify-applicant.ts'
import { lift, proposeLift } from './case.queries.ts'
import { presentCaseNow } from './present-case.ts'
import { requireOwnCase } from './require-own-case.ts'

/** Undoes a final refusal. What two officers decided is undone by two others, whatever the settings say by now. */
export const liftKycRefusal: Handler<typeof api.liftKycRefusal> = ({ params, body }, context) => {
  const { caller, config } = context
  const reason = body.reason.trim()
  if (reason === '') throw refusedField('reason', 'required')
  return transaction(context.db, async (db) => {
    const row = await requireOwnCase(db, params.id, caller.memberId)
    caller.requireStepUp()
    if (!row.is_final) throw new Refused('conflict')
    const takesTwo = config.isFourEyesRequired || row.final_proposed_by !== null
    const hasDecided = row.final_proposed_by === caller.memberId || row.decided_by === caller.memberId
    if (takesTwo && hasDecided) throw new Refused('forbidden')
    if (takesTwo && row.final_lift_proposed_by === caller.memberId) throw new Refused('conflict')
    const isProposal = takesTwo && row.final_lift_proposed_by === null
    if (isProposal) await proposeLift(db, row.id, caller.memberId)
    else await lift(db, row.id)
    const note = [row.note, reason].filter(Boolean).join('\n\n').slice(0, noteLengthMax)
    await updateKycRow(db, row.id, { note })
    await recordAudit(db, {
      actorId: caller.memberId,
      action: isProposal ? 'kyc-lift-proposed' : 'kyc-lifted',
      subjectKind: 'kyc',
      subjectId: row.id,
    })
    const presented = await presentCaseNow(db, row.id)
    if (!isProposal) {
      await notifyApplicant(db, context, row.member_id, 'kyc-refusal-lifted')
      // Of an erased member nothing but the refusal was kept.
      if ((await getMemberById(db, row.member_id)).erased_at) await destroyDocuments(db, row.id)
    }
    return presented
  })
}
