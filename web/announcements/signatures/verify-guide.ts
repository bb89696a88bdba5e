import type { Language } from '#contract/fields.ts'
import { withPrefix } from '../../i18n/language.ts'

/** Where it stands how a post is verified with one's own tools, as plain text. */
export const verifyGuidePath: Record<Language, string> = {
  en: '/verify-a-post.txt',
  cn: withPrefix('/verify-a-post.txt'),
}
