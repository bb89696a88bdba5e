import { draftStore, type DraftStore } from '../state/draft-store.ts'

/** The text fields of the form as typed so far. Photos are never stored in the browser. */
export type Draft = {
  firstName: string
  email: string
  country: string
  dateOfBirth: string
  ethAddress: string
  btcAddress: string
}

/** Identity data must not stay in the browser after the session has ended. */
export const kycDraft = (memberId: string): DraftStore<Draft> =>
  draftStore(memberId, 'kyc', { endsWithSession: true })
