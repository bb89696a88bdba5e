import type { KycCaseDetail, Screening } from '#contract/kyc-review.ts'

/** A case as the review desk reads it: one photo, waiting, nobody's. */
export const aKycCase = (fields: Partial<KycCaseDetail> = {}): KycCaseDetail => ({
  _id: 'c1',
  memberId: 'm1',
  firstName: 'Sample Person',
  lastName: '',
  country: '',
  dateOfBirth: '1990-01-31',
  email: 'sample@example.org',
  ethAddress: '',
  btcAddress: '',
  eventId: 'TGE001',
  status: 'submitted',
  reason: '',
  photoCount: 1,
  isFinal: false,
  createdAt: '2026-11-20T00:00:00.000Z',
  updatedAt: '2026-11-20T00:00:00.000Z',
  decidedAt: null,
  ageHours: 5,
  assignee: null,
  finalProposedBy: null,
  hasDuplicates: false,
  possibleMatches: 0,
  screeningReadAt: null,
  screeningReadBy: null,
  photos: [{ n: 0, bytes: 1, verdict: 'open', reason: '', note: '' }],
  history: { steps: [], photos: [], views: [], usualHours: null, receipt: null },
  duplicates: [],
  screening: aScreening(),
  memberLanguage: 'cn',
  isFourEyesRequired: true,
  ...fields,
})

/** Compared with one list that names nobody alike. */
export const aScreening = (fields: Partial<Screening> = {}): Screening => ({
  state: 'compared',
  lists: [{ name: 'Sample list', date: '2026-11-01', entries: 3, isOld: false }],
  matches: [],
  cleared: 0,
  isPartial: false,
  hash: 'found nothing',
  ...fields,
})
