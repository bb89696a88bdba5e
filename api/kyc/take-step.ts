import type { KycState } from '#contract/kyc.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { Tx } from '../db/database.ts'
import type { MemberContext } from '../http/handler.ts'
import type { MailKind } from '../mail/render-mail.ts'
import { sendMail } from '../mail/send-mail.ts'
import { kycLink } from '../members/member-links.ts'
import { getMemberById } from '../members/member.queries.ts'
import { insertKycStep, updateKycRow, type KycRow } from './kyc.queries.ts'

type Step = { status: KycState; reason?: string | undefined; note?: string | undefined }

/** Puts a step of staff, or a note alone, into the record, its history, the audit log and a mail to the member. */
export async function takeStep(
  db: Tx,
  row: KycRow,
  { status, reason, note }: Step,
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
    await tellMember(db, row.member_id, status, { keys, config })
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

const mailOf: Record<Exclude<KycState, 'submitted'>, MailKind> = {
  in_review: 'kyc-in-review',
  approved: 'kyc-approved',
  rejected: 'kyc-rejected',
  more_info: 'kyc-more-info',
  expired: 'kyc-expired',
}

async function tellMember(
  db: Tx,
  memberId: string,
  status: KycState,
  { keys, config }: Pick<MemberContext, 'keys' | 'config'>,
): Promise<void> {
  if (status === 'submitted') return
  const member = await getMemberById(db, memberId)
  if (member.erased_at) return
  await sendMail(db, keys, {
    kind: mailOf[status],
    to: member.email,
    language: member.language,
    values: { link: kycLink(config) },
  })
}
