import type { Messages } from './message-key.ts'

/* A language that lacks something has sentences that say so; they come with the words of no other. */

/** That the site is not wholly translated, for the top of each page. */
export const noticeOfGaps = (messages: Messages): string | undefined => messages['layout.language.partial']

export const isPartial = (messages: Messages): boolean => noticeOfGaps(messages) !== undefined

/** That the legal texts are in English. */
export const noticeOfEnglishLaw = (messages: Messages): string | undefined => messages['legal.untranslated']
