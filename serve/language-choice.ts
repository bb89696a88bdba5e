import { DAY, SECOND } from '#contract/platform/durations.ts'
import type { Language } from '#contract/platform/fields.ts'
import { isLanguage } from '#web/kernel/i18n/language.ts'

const name = 'language'
const maxAge = (365 * DAY) / SECOND

/** The language in a request's cookies; null if there is none. */
export function languageInCookies(header: string | undefined): Language | null {
  const value = header && /(?:^|;\s*)language=(\w+)/.exec(header)?.[1]
  return isLanguage(value) ? value : null
}

/**
 * The cookie with the chosen language. The server renews it, because Safari soon deletes cookies set by
 * scripts.
 */
export const languageCookie = (language: Language, isSecure: boolean): string =>
  `${name}=${language}; Path=/; Max-Age=${maxAge}; SameSite=Lax${isSecure ? '; Secure' : ''}`
