import type { KycState } from '#contract/kyc.ts'
import { recordAudit } from '../audit/audit.queries.ts'
import type { Tx } from '../db/database.ts'
import type { MemberContext } from '../http/handler.ts'
import { insertKycStep, updateKycRow, type KycRow } from './kyc.queries.ts'
import { mailOfStep, tellApplicant } from './tell-applicant.ts'

type Step = {
  status: KycState
  reason?: string | undefined
  note?: string | undefined
  /** Refused for good. */
  isFinal?: boolean | undefined
}

/** Puts a step of staff, or a note alone, into the record, its history, the audit log and a mail to the member. */
export async function takeStep(
  db: Tx,
  row: KycRow,
  { status, reason, note, isFinal }: Step,
  { caller, keys, config }: Pick<MemberContext, 'caller' | 'keys' | 'config'>,
): Promise<KycRow> {
  const isStep = status !== row.status
  const updated = await updateKycRow(db, row.id, {
    status,
    // The reason of an earlier step is not that of this one.
    ...(isStep || reason !== undefined ? { reason: reason ?? '' } : {}),
    ...(note !== undefined ? { note } : {}),
    ...(isStep && status !== 'in_review' ? { decidedBy: caller.memberId } : {}),
  })
  if (isStep) {
    const step = { id: row.id, from: row.status, to: status, reason: reason ?? '', by: caller.memberId }
    await insertKycStep(db, step)
    await tellApplicant(db, { keys, config }, row.member_id, mailOfStep(status, isFinal))
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
