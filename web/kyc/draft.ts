import { draftStore, type DraftStore } from '../state/draft-store.ts'

/** The text fields of the form, as far as they were typed. Pictures are never kept in the browser. */
export type Draft = {
  firstName: string
  email: string
  country: string
  ethAddress: string
  btcAddress: string
}

export const kycDraft = (memberId: string): DraftStore<Draft> => draftStore(memberId, 'kyc')
