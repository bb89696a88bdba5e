import { DAY, HOUR } from '#contract/platform/durations.ts'
import type { KycState } from '#contract/people/kyc.ts'

/** Transitions by people. Only the system marks an approval as expired, so that no one ends one without a reason. */
const transitions: Record<KycState, readonly KycState[]> = {
  submitted: ['in_review', 'approved', 'rejected', 'more_info'],
  in_review: ['approved', 'rejected', 'more_info'],
  more_info: ['submitted'],
  approved: ['withdrawn'],
  rejected: [],
  expired: [],
  withdrawn: [],
}

/**
 * Whether staff can move an application from one state to the other. `submitted` can be decided without
 * `in_review`.
 */
export const canDecide = (from: KycState, to: KycState): boolean =>
  to !== 'submitted' && transitions[from].includes(to)

/** Whether the member needs to be told why. */
export const needsReason = (to: KycState): boolean =>
  to === 'rejected' || to === 'more_info' || to === 'withdrawn'

/** Whether it ends the applicant's waiting time. */
export const isDecision = (to: KycState): boolean =>
  to === 'approved' || to === 'rejected' || to === 'more_info'

/** Whether the applicant may correct the application and submit it again. */
export const canResubmit = (state: KycState): boolean => transitions[state].includes('submitted')

/** A member with an application in one of these states cannot submit another one. */
export const openStates: readonly KycState[] = ['submitted', 'in_review']
export const isOpen = (state: KycState): boolean => openStates.includes(state)

/** Orders rely on an approved identity, so the law requires it to be retained, even after it has expired. */
export const retainedStates: readonly KycState[] = ['approved', 'expired', 'withdrawn']
export const isRetained = (state: KycState): boolean => retainedStates.includes(state)

/**
 * Pictures of a refused application, or one with unanswered questions, are deleted after this time, in
 * milliseconds.
 */
export const stalePhotosAge = 30 * DAY

/** How long a staged photo waits for its application, in milliseconds. */
export const stagedPhotoAge = 2 * HOUR
export const stagedPhotosMax = 16
