import type { KycState } from '#contract/kyc.ts'

const steps: Record<KycState, readonly KycState[]> = {
  submitted: ['in_review', 'approved', 'rejected', 'more_info'],
  in_review: ['approved', 'rejected', 'more_info'],
  more_info: ['submitted'],
  approved: ['expired'],
  rejected: [],
  expired: [],
}

/** Whether staff may take an application from one state to the other. Deciding takes the review for granted. */
export const canDecide = (from: KycState, to: KycState): boolean =>
  to !== 'submitted' && steps[from].includes(to)

/** Whether the applicant may change and hand in again. */
export const canResubmit = (state: KycState): boolean => steps[state].includes('submitted')

/** While one of these is there, no new application is taken. */
export const isOpen = (state: KycState): boolean => state === 'submitted' || state === 'in_review'
