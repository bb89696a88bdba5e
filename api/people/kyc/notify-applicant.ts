import type { KycState } from '#contract/people/kyc.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { ValuesFor } from '../../platform/text/fill.ts'
import type { MailKind, MailValue } from '../../platform/mail/mail-kinds.ts'
import { sendMail } from '../../platform/mail/send-mail.ts'
import { kycLink, ordersLink } from '../../platform/site-links.ts'
import { getMemberById } from '../members/member.queries.ts'
import type { Services } from '../../platform/services.ts'

const mailOf = {
  submitted: 'kyc-submitted',
  in_review: 'kyc-in-review',
  approved: 'kyc-approved',
  rejected: 'kyc-rejected',
  more_info: 'kyc-more-info',
  expired: 'kyc-expired',
  withdrawn: 'kyc-withdrawn',
} as const satisfies Record<KycState, MailKind>

type TransitionMail = (typeof mailOf)[KycState] | 'kyc-rejected-final'

/** The email about a transition; a final refusal has its own. */
export const mailOfTransition = (to: KycState, isFinal = false): TransitionMail =>
  to === 'rejected' && isFinal ? 'kyc-rejected-final' : mailOf[to]

/** An email in the member's language, without names or details, which are only shown in the account. */
export async function notifyApplicant<
  Kind extends TransitionMail | 'kyc-expires-soon' | 'kyc-refusal-lifted' | 'kyc-removed',
>(
  db: Tx,
  { keys, config }: Pick<Services, 'keys' | 'config'>,
  memberId: string,
  kind: Kind,
  ...[values]: ValuesFor<Exclude<MailValue<Kind>, 'link'>>
): Promise<void> {
  const member = await getMemberById(db, memberId)
  if (member.erased_at) return
  const link = kind === 'kyc-approved' ? ordersLink(config) : kycLink(config)
  const all = [{ link, ...values }]
  await sendMail(db, keys, member, kind, ...(all as unknown as ValuesFor<MailValue<Kind>>))
}
