import type { api } from '#contract/api.ts'
import { privateNoteLengthMax, type KycCase } from '#contract/people/kyc-review.ts'
import { recordAudit } from '../../../platform/audit/audit.queries.ts'
import { transaction, type Tx } from '../../../platform/db/database.ts'
import type { Handler } from '../../../platform/http/handler.ts'
import { Refused, refusedField } from '../../../platform/refused.ts'
import type { Deciding } from '../apply-transition.ts'
import { deleteFingerprints } from '../fingerprint.queries.ts'
import { destroyDocuments } from '../kyc-erasure.queries.ts'
import { updateKycRow, type KycRow } from '../kyc.queries.ts'
import { notifyApplicant } from '../notify-applicant.ts'
import { lift, proposeReversal, withdrawReversal } from './case.queries.ts'
import { withdrawApprovals } from './decide.ts'
import { readKycPolicy } from '../../four-eyes/read-policy.ts'
import { presentCaseNow } from './present-case.ts'
import { requireOwnCaseOrProposal } from './require-own-case.ts'
import { cancelExpiredApprovals } from './case-approval.queries.ts'

/**
 * Reverses a final rejection. A decision by two officers needs two others to reverse it, whatever the settings are now.
 * For a deleted application, a second officer dismisses the first one's proposal.
 */
export const reverseKycRejection: Handler<typeof api.reverseKycRejection> = ({ params, body }, context) => {
  const { caller, config } = context
  const reason = body.reason?.trim() ?? ''
  if (reason === '' && !body.isTakenBack) throw refusedField('reason', 'required')
  return transaction(context.db, async (db) => {
    await cancelExpiredApprovals(db, config, params.id)
    const row = await requireOwnCaseOrProposal(db, params.id, caller.memberId)
    if (body.isTakenBack) return takeBack(db, row, caller.memberId)
    if (row.deleted_at !== null) return dropProposal(db, row, reason, context)
    if (!row.is_final) throw new Refused('conflict')
    const { isFourEyesRequired } = await readKycPolicy(db, config, row.member_id)
    const takesTwo = isFourEyesRequired || row.final_proposed_by !== null
    const hasDecided = row.final_proposed_by === caller.memberId || row.decided_by === caller.memberId
    if (takesTwo && hasDecided) throw new Refused('forbidden')
    if (takesTwo && row.final_lift_proposed_by === caller.memberId) throw new Refused('conflict')
    caller.requireStepUp()
    const isProposal = takesTwo && row.final_lift_proposed_by === null
    if (isProposal) await proposeReversal(db, row.id, caller.memberId)
    else await liftWhole(db, row, context)
    const note = [row.note, reason].filter(Boolean).join('\n\n').slice(0, privateNoteLengthMax)
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
      // If its subject had deleted the rest, only the refusal was kept.
      if (row.full_name === '') await destroyDocuments(db, row.id)
    }
    return presented
  })
}

/** It no longer flags or decides anything, and approvals that existed alongside are not restored unseen. */
async function liftWhole(db: Tx, row: KycRow, context: Deciding): Promise<void> {
  await lift(db, row.id)
  await deleteFingerprints(db, row.id)
  await withdrawApprovals(db, row, row.reason, context)
}

/** An officer who withdraws a proposal allows another first approval. */
async function takeBack(db: Tx, row: KycRow, officerId: string): Promise<KycCase> {
  if (row.final_lift_proposed_by !== officerId) throw new Refused('conflict')
  await withdrawReversal(db, row.id)
  await recordAudit(db, {
    actorId: officerId,
    action: 'kyc-lift-taken-back',
    subjectKind: 'kyc',
    subjectId: row.id,
  })
  return presentCaseNow(db, row.id)
}

/** Its reason is kept with the rest of the application until the legal period is over. */
async function dropProposal(db: Tx, row: KycRow, reason: string, { caller }: Deciding): Promise<KycCase> {
  const officerId = caller.memberId
  if (row.final_proposed_by === officerId) throw new Refused('forbidden')
  caller.requireStepUp()
  const presented = await presentCaseNow(db, row.id)
  await destroyDocuments(db, row.id)
  await updateKycRow(db, row.id, { note: reason })
  await recordAudit(db, {
    actorId: officerId,
    action: 'kyc-proposal-dropped',
    subjectKind: 'kyc',
    subjectId: row.id,
  })
  // It is no longer a case.
  return { ...presented, finalProposedBy: null, finalProposedAt: null, finalProposedReason: '' }
}
