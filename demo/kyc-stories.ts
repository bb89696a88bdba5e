import { DAY, HOUR } from '#contract/platform/durations.ts'
import type { KycState } from '#contract/people/kyc.ts'

type SampleStep = {
  to: KycState
  /** Time after the first submission. */
  after: number
  by: 'finance2' | 'admin' | 'applicant' | null
  reason?: string
}

export type SampleStory = {
  handedInAgo: number
  steps: readonly SampleStep[]
  /** Verdicts on the card, the portrait, and the letter, as the last reviewer left them. */
  verdicts: readonly ('open' | 'accepted' | 'refused')[]
  refusedBecause?: string
  isFinal?: true
  /** When the first reviewer proposed the final rejection. */
  finalProposedAfter?: number
  finalReason?: string
  isTaken?: true
  note?: string
  /** The number of another applicant who has the same address. */
  sharesAddressWith?: number
}

const taken = (after: number): SampleStep => ({ to: 'in_review', after, by: 'finance2' })
const approved = (after: number): SampleStep => ({ to: 'approved', after, by: 'finance2' })
const accepted = ['accepted', 'accepted', 'accepted'] as const
const open = ['open', 'open', 'open'] as const
const forged = 'Sample: the card is a copy of one that another person submitted.'
const blurred = 'Sample: the portrait is out of focus. Please take it again by daylight.'

/** Twelve cases in every state, by the number of their applicants. The first one is the oldest. */
export const sampleStories: readonly SampleStory[] = [
  {
    handedInAgo: 752 * DAY,
    steps: [
      taken(4 * HOUR),
      approved(20 * HOUR),
      {
        to: 'expired',
        after: 731 * DAY,
        by: null,
        reason: 'The approval was valid for 730 days and has expired.',
      },
    ],
    verdicts: accepted,
  },
  {
    handedInAgo: 26 * DAY,
    steps: [
      taken(5 * HOUR),
      approved(9 * HOUR),
      {
        to: 'withdrawn',
        after: 8 * DAY,
        by: 'admin',
        reason: 'Sample: the authority that issued the card reports it as lost.',
      },
    ],
    verdicts: accepted,
  },
  {
    handedInAgo: 22 * DAY,
    steps: [taken(7 * HOUR), { to: 'rejected', after: 30 * HOUR, by: 'admin', reason: forged }],
    verdicts: ['refused', 'accepted', 'open'],
    refusedBecause: 'Sample: someone else has already submitted this card.',
    isFinal: true,
    finalProposedAfter: 20 * HOUR,
    finalReason: forged,
    note: 'Sample: compared with the case of last month, same number and picture.',
  },
  {
    handedInAgo: 18 * DAY,
    steps: [
      taken(20 * HOUR),
      {
        to: 'rejected',
        after: 26 * HOUR,
        by: 'finance2',
        reason: 'Sample: the name on the letter is not the name on the card.',
      },
    ],
    verdicts: ['accepted', 'accepted', 'refused'],
    refusedBecause: 'Sample: a letter to another person.',
  },
  {
    handedInAgo: 16 * DAY,
    steps: [
      taken(3 * HOUR),
      {
        to: 'more_info',
        after: 5 * HOUR,
        by: 'finance2',
        reason: 'Sample: please send a letter that is not older than three months.',
      },
      { to: 'submitted', after: 40 * HOUR, by: 'applicant' },
      taken(50 * HOUR),
      approved(52 * HOUR),
    ],
    verdicts: accepted,
  },
  { handedInAgo: 12 * DAY, steps: [taken(6 * HOUR), approved(7 * HOUR)], verdicts: accepted },
  {
    handedInAgo: 9 * DAY,
    steps: [taken(20 * HOUR), { to: 'more_info', after: 21 * HOUR, by: 'finance2', reason: blurred }],
    verdicts: ['accepted', 'refused', 'accepted'],
    refusedBecause: blurred,
  },
  {
    handedInAgo: 8 * DAY,
    steps: [
      taken(10 * HOUR),
      { to: 'more_info', after: 12 * HOUR, by: 'finance2', reason: 'Sample: which country issued the card?' },
      { to: 'submitted', after: 150 * HOUR, by: 'applicant' },
    ],
    verdicts: ['accepted', 'accepted', 'open'],
    isTaken: true,
  },
  {
    handedInAgo: 6 * DAY,
    steps: [taken(22 * HOUR)],
    verdicts: ['refused', 'open', 'open'],
    refusedBecause: 'Sample: the lines under the name were printed over.',
    finalProposedAfter: 30 * HOUR,
    finalReason: 'Sample: the card was edited on a computer. A second reviewer decides.',
  },
  { handedInAgo: 3 * DAY, steps: [taken(40 * HOUR)], verdicts: ['accepted', 'open', 'open'], isTaken: true },
  { handedInAgo: 30 * HOUR, steps: [], verdicts: open, sharesAddressWith: 3 },
  { handedInAgo: 5 * HOUR, steps: [], verdicts: open },
]
