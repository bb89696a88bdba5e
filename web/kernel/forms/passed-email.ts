import { draftStore } from '../state/draft-store.ts'

const draft = draftStore<string>(null, 'email')

/** The email address that was typed into one login form, passed to the next one. It is never put into a URL. */
export const passedEmail = (): string => draft.read() ?? ''

export const passEmailOn = (email: string | undefined): void => draft.write(email?.trim() || null)
