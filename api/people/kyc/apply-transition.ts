import type { KycState } from '#contract/people/kyc.ts'
import { recordIdentityApproved, recordIdentityWithdrawn } from '../ambassadors/results/record-invitation.ts'
import { recordAudit } from '../../platform/audit/audit.queries.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { MemberContext } from '../../platform/http/handler.ts'
import { insertKycStep, updateKycRow, type KycRow } from './kyc.queries.ts'
import { isDecision } from './kyc.rules.ts'
import { mailOfTransition, notifyApplicant } from './notify-applicant.ts'

type Transition = {
  status: KycState
  reason?: string | undefined
  note?: string | undefined
  /** Whether it is a final rejection. */
  isFinal?: boolean | undefined
}

export type Deciding = Pick<MemberContext, 'caller' | 'keys' | 'config' | 'log'>

/**
 * Writes a staff decision, or only a note, to the record, its history, and the audit log, and emails the
 * member.
 */
export async function applyTransition(
  db: Tx,
  row: KycRow,
  { status, reason, note, isFinal }: Transition,
  { caller, keys, config }: Deciding,
): Promise<KycRow> {
  const isTransition = status !== row.status
  const updated = await updateKycRow(db, row.id, {
    status,
    // The reason of the previous transition must not be kept for this one.
    ...(isTransition ? { reason: reason ?? '' } : {}),
    ...(note !== undefined ? { note } : {}),
    ...(isTransition && isDecision(status) ? { decidedBy: caller.memberId } : {}),
    // A case stays assigned until it is decided.
    ...(isTransition && status !== 'in_review' ? { assigneeId: null } : {}),
  })
  if (isTransition) {
    const transition = { id: row.id, from: row.status, to: status, reason: reason ?? '', by: caller.memberId }
    await insertKycStep(db, transition)
    if (status === 'approved') await recordIdentityApproved(db, { config }, row.member_id)
    if (status === 'withdrawn') await recordIdentityWithdrawn(db, row.member_id)
    await notifyApplicant(db, { keys, config }, row.member_id, mailOfTransition(status, isFinal))
  }
  await recordAudit(db, {
    actorId: caller.memberId,
    action: 'kyc-updated',
    subjectKind: 'kyc',
    subjectId: row.id,
    detail: { status },
  })
  return updated
}

/** A review begins when an officer is assigned or reviews a photo. */
export const beginReview = async (db: Tx, row: KycRow, context: Deciding): Promise<KycRow> =>
  row.status === 'submitted' ? applyTransition(db, row, { status: 'in_review' }, context) : row
