import { DAY, HOUR } from '#contract/durations.ts'
import type { KycState } from '#contract/kyc.ts'

/** What people do. That an approval is over is the program's to say, so that nobody ends one without a reason. */
const transitions: Record<KycState, readonly KycState[]> = {
  submitted: ['in_review', 'approved', 'rejected', 'more_info'],
  in_review: ['approved', 'rejected', 'more_info'],
  more_info: ['submitted'],
  approved: ['withdrawn'],
  rejected: [],
  expired: [],
  withdrawn: [],
}

/** Whether staff may move an application from one state to the other. `submitted` may be decided without `in_review` between. */
export const canDecide = (from: KycState, to: KycState): boolean =>
  to !== 'submitted' && transitions[from].includes(to)

/** Whether the member needs to be told why. */
export const needsReason = (to: KycState): boolean =>
  to === 'rejected' || to === 'more_info' || to === 'withdrawn'

/** Whether it answers what was handed in: the time until then is how long the applicant waited. */
export const isDecision = (to: KycState): boolean =>
  to === 'approved' || to === 'rejected' || to === 'more_info'

/** Whether the applicant may correct the application and submit it again. */
export const canResubmit = (state: KycState): boolean => transitions[state].includes('submitted')

/** A member with an application in one of these states cannot submit another one. */
export const openStates: readonly KycState[] = ['submitted', 'in_review']
export const isOpen = (state: KycState): boolean => openStates.includes(state)

/** Orders were placed on an approved identity, so the law requires it to be retained, also after it has ended. */
export const retainedStates: readonly KycState[] = ['approved', 'expired', 'withdrawn']
export const isRetained = (state: KycState): boolean => retainedStates.includes(state)

/** Pictures of an application that was refused, or whose questions stayed unanswered, are destroyed after this time. */
export const stalePhotosAge = 30 * DAY

/** How long a staged photo waits for its application. */
export const stagedPhotoAge = 2 * HOUR
export const stagedPhotosMax = 16
