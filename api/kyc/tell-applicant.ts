import type { KycState } from '#contract/kyc.ts'
import type { Tx } from '../db/database.ts'
import type { MailKind } from '../mail/render-mail.ts'
import { sendMail } from '../mail/send-mail.ts'
import { kycLink, ordersLink } from '../members/member-links.ts'
import { getMemberById } from '../members/member.queries.ts'
import type { Services } from '../services.ts'

const mailOf: Record<KycState, MailKind> = {
  submitted: 'kyc-submitted',
  in_review: 'kyc-in-review',
  approved: 'kyc-approved',
  rejected: 'kyc-rejected',
  more_info: 'kyc-more-info',
  expired: 'kyc-expired',
}

/** The mail of a step; refusing for good has one of its own. */
export const mailOfStep = (to: KycState, isFinal = false): MailKind =>
  to === 'rejected' && isFinal ? 'kyc-rejected-final' : mailOf[to]

/** A mail in the member's language. It names nobody and nothing: what there is to say stands in the account. */
export async function tellApplicant(
  db: Tx,
  memberId: string,
  kind: MailKind,
  { keys, config }: Pick<Services, 'keys' | 'config'>,
  values: Record<string, string> = {},
): Promise<void> {
  const member = await getMemberById(db, memberId)
  if (member.erased_at) return
  const link = kind === 'kyc-approved' ? ordersLink(config) : kycLink(config)
  await sendMail(db, keys, { kind, to: member.email, language: member.language, values: { link, ...values } })
}
