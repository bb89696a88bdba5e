import type { KycState } from '#contract/kyc.ts'
import type { PlainKey } from '../i18n/message-key.ts'

export const statusLabels: Readonly<Record<KycState, PlainKey>> = {
  submitted: 'kyc.status.submitted',
  in_review: 'kyc.status.inReview',
  approved: 'kyc.status.approved',
  rejected: 'kyc.status.rejected',
  more_info: 'kyc.status.moreInfo',
  expired: 'kyc.status.expired',
  withdrawn: 'kyc.status.withdrawn',
}
