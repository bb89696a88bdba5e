import { inEachLanguage } from '../../kernel/i18n/language.ts'

/** The plain-text guide to verifying a post with other tools. */
export const verifyGuidePath = inEachLanguage('/verify-a-post.txt')
