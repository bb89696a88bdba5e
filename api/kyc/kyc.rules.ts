import { DAY, HOUR } from '#contract/durations.ts'
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

/** Whether a step there means something to put right or to accept: the member must be told what. */
export const needsReason = (to: KycState): boolean => to === 'rejected' || to === 'more_info'

/** Whether the applicant may change and hand in again. */
export const canResubmit = (state: KycState): boolean => steps[state].includes('submitted')

/** While one of these is there, no new application is taken. */
export const openStates: readonly KycState[] = ['submitted', 'in_review']
export const isOpen = (state: KycState): boolean => openStates.includes(state)

/** An identity that was approved stands behind orders: the law keeps it, after it has expired too. */
export const statesKeptByLaw: readonly KycState[] = ['approved', 'expired']
export const isKeptByLaw = (state: KycState): boolean => statesKeptByLaw.includes(state)

/** Pictures of an application that was refused, or that its member left unanswered, go after this. */
export const stalePhotosAge = 30 * DAY

/** A photo that was sent ahead waits this long for its application. */
export const stagedPhotoAge = 2 * HOUR
export const stagedPhotosMax = 16
