import type { Language } from '#contract/fields.ts'
import { withPrefix } from '../../i18n/language.ts'

/** The plain-text guide to verifying a post with one's own tools. */
export const verifyGuidePath: Record<Language, string> = {
  en: '/verify-a-post.txt',
  cn: withPrefix('/verify-a-post.txt'),
}
