import type { api } from '#contract/api.ts'
import { noteLengthMax, type KycCase } from '#contract/kyc-review.ts'
import { recordAudit } from '../../audit/audit.queries.ts'
import { transaction, type Tx } from '../../db/database.ts'
import type { Handler } from '../../http/handler.ts'
import { Refused, refusedField } from '../../refused.ts'
import type { Deciding } from '../apply-transition.ts'
import { deleteFingerprints } from '../fingerprint.queries.ts'
import { destroyDocuments } from '../kyc-erasure.queries.ts'
import { updateKycRow, type KycRow } from '../kyc.queries.ts'
import { notifyApplicant } from '../notify-applicant.ts'
import { lift, proposeLift, takeLiftBack } from './case.queries.ts'
import { withdrawApprovals } from './decide.ts'
import { readKycPolicy } from '../../four-eyes/read-policy.ts'
import { presentCaseNow } from './present-case.ts'
import { requireOwnCaseOrProposal } from './require-own-case.ts'
import { endStaleVoices } from './voice.queries.ts'

/**
 * Undoes a final refusal. What two officers decided is undone by two others, whatever the settings say by now. Of a deleted
 * application a second officer drops the proposal of the first.
 */
export const liftKycRefusal: Handler<typeof api.liftKycRefusal> = ({ params, body }, context) => {
  const { caller, config } = context
  const reason = body.reason?.trim() ?? ''
  if (reason === '' && !body.isTakenBack) throw refusedField('reason', 'required')
  return transaction(context.db, async (db) => {
    await endStaleVoices(db, config, params.id)
    const row = await requireOwnCaseOrProposal(db, params.id, caller.memberId)
    if (body.isTakenBack) return takeBack(db, row, caller.memberId)
    caller.requireStepUp()
    if (row.deleted_at !== null) return dropProposal(db, row, reason, caller.memberId)
    if (!row.is_final) throw new Refused('conflict')
    const { isFourEyesRequired } = await readKycPolicy(db, config, row.member_id)
    const takesTwo = isFourEyesRequired || row.final_proposed_by !== null
    const hasDecided = row.final_proposed_by === caller.memberId || row.decided_by === caller.memberId
    if (takesTwo && hasDecided) throw new Refused('forbidden')
    if (takesTwo && row.final_lift_proposed_by === caller.memberId) throw new Refused('conflict')
    const isProposal = takesTwo && row.final_lift_proposed_by === null
    if (isProposal) await proposeLift(db, row.id, caller.memberId)
    else await liftWhole(db, row, context)
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
      // Where its subject had deleted the rest, nothing but the refusal was kept.
      if (row.full_name === '') await destroyDocuments(db, row.id)
    }
    return presented
  })
}

/** Nothing of it flags or decides any more, and no approval comes back that stood beside it unseen. */
async function liftWhole(db: Tx, row: KycRow, context: Deciding): Promise<void> {
  await lift(db, row.id)
  await deleteFingerprints(db, row.id)
  await withdrawApprovals(db, row, row.reason, context)
}

/** Whoever has changed their mind makes room for another first voice. */
async function takeBack(db: Tx, row: KycRow, officerId: string): Promise<KycCase> {
  if (row.final_lift_proposed_by !== officerId) throw new Refused('conflict')
  await takeLiftBack(db, row.id)
  await recordAudit(db, {
    actorId: officerId,
    action: 'kyc-lift-taken-back',
    subjectKind: 'kyc',
    subjectId: row.id,
  })
  return presentCaseNow(db, row.id)
}

/** Its reason stays with what is left of the application, until the time of the law is over. */
async function dropProposal(db: Tx, row: KycRow, reason: string, officerId: string): Promise<KycCase> {
  if (row.final_proposed_by === officerId) throw new Refused('forbidden')
  const presented = await presentCaseNow(db, row.id)
  await destroyDocuments(db, row.id)
  await updateKycRow(db, row.id, { note: reason })
  await recordAudit(db, {
    actorId: officerId,
    action: 'kyc-proposal-dropped',
    subjectKind: 'kyc',
    subjectId: row.id,
  })
  // It is no case any more.
  return { ...presented, finalProposedBy: null, finalProposedAt: null, finalProposedReason: '' }
}
