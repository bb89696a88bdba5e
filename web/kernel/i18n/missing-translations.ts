import type { Messages } from './message-key.ts'

/* The notices about an incomplete translation exist only in the messages of that language. */

/** The notice at the top of each page that the translation is incomplete. */
export const noticeOfGaps = (messages: Messages): string | undefined => messages['layout.language.partial']

export const isPartial = (messages: Messages): boolean => noticeOfGaps(messages) !== undefined

/** The notice that the legal texts are in English. */
export const noticeOfEnglishLaw = (messages: Messages): string | undefined => messages['legal.untranslated']
