import { findAnyKyc } from '#api/kyc/kyc.queries.ts'
import { markFinal } from '#api/kyc/review/case.queries.ts'
import { screenCase } from '#api/kyc/screening/screen-case.ts'
import { anApplication } from '#tests/builders.ts'
import type { Scene } from './requests.ts'

/** Requests of reviewers on identity cases. */
export const reviewRequests = {
  listKycCases: async () => ({ query: { status: 'submitted' as const, q: 'sample' } }),
  listKycReasons: async () => ({}),
  readKycStatistics: async () => ({}),
  getKycCase: async ({ started, owner }: Scene) => ({
    params: { id: (await anApplication(started, owner))._id },
  }),
  listKycCaseEvents: async ({ started, owner }: Scene) => ({
    params: { id: (await anApplication(started, owner))._id },
  }),
  exportKycCase: async ({ started, owner }: Scene) => ({
    params: { id: (await anApplication(started, owner))._id },
  }),
  assignKycCase: async ({ started, owner }: Scene) => ({
    params: { id: (await anApplication(started, owner))._id },
    body: { to: 'me' as const },
  }),
  reviewKycPhoto: async ({ started, owner }: Scene) => ({
    params: { id: (await anApplication(started, owner))._id, n: 0 },
    // Any other verdict requires that the same reviewer has viewed the photo.
    body: { verdict: 'open' as const, round: 1 },
  }),
  readKycScreening: async ({ started, owner }: Scene) => {
    const { _id: id } = await anApplication(started, owner)
    const row = await findAnyKyc(started.services.db, id)
    const { hash } = await screenCase(started.services.db, started.services, row!)
    return { params: { id }, body: { hash } }
  },
  decideKycCase: async ({ started, owner }: Scene) => ({
    params: { id: (await anApplication(started, owner))._id },
    body: { status: 'rejected' as const, reason: 'Unreadable.' },
  }),
  reverseKycRejection: async ({ started, owner }: Scene) => {
    const { _id } = await anApplication(started, owner, 'rejected')
    await markFinal(started.services.db, _id)
    return { params: { id: _id }, body: { reason: 'A mistake.' } }
  },
}
