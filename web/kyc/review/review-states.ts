import type { KycState } from '#contract/people/kyc.ts'
import type { KycCaseDetail } from '#contract/people/kyc-review.ts'
import type { PlainKey } from '../../kernel/i18n/message-key.ts'
import type { TagColor } from '../../kernel/ui/tag.tsx'

type StatusStyle = { words: PlainKey; colour: TagColor }
type Verdict = KycCaseDetail['photos'][number]['verdict']

/**
 * The statuses from the reviewers' point of view. `more_info` is not their task, because it waits for the applicant.
 */
export const reviewStates: Readonly<Record<KycState, StatusStyle>> = {
  submitted: { words: 'review.state.submitted', colour: 'yellow' },
  in_review: { words: 'review.state.inReview', colour: 'verdigris' },
  approved: { words: 'review.state.approved', colour: 'green' },
  rejected: { words: 'review.state.rejected', colour: 'red' },
  more_info: { words: 'review.state.moreInfo', colour: 'quiet' },
  expired: { words: 'review.state.expired', colour: 'quiet' },
  withdrawn: { words: 'review.state.withdrawn', colour: 'red' },
}

export const photoVerdictLabels: Readonly<Record<Verdict, StatusStyle>> = {
  open: { words: 'review.photo.open', colour: 'quiet' },
  accepted: { words: 'review.photo.accepted', colour: 'green' },
  refused: { words: 'review.photo.refused', colour: 'red' },
}

const waiting: readonly KycState[] = ['submitted', 'in_review']
export const isWaiting = (status: KycState): boolean => waiting.includes(status)
