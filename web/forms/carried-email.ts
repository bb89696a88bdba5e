import { draftStore } from '../state/draft-store.ts'

const draft = draftStore<string>(null, 'email')

/** The e-mail typed into one form of the login area, for the next one. It is never put into a URL. */
export const carriedEmail = (): string => draft.read() ?? ''

export const carryEmail = (email: string | undefined): void => draft.write(email?.trim() || null)
