import { DAY, SECOND } from '#contract/durations.ts'
import type { Language } from '#contract/fields.ts'

const name = 'language'
const maxAge = (365 * DAY) / SECOND

export const isLanguage = (value: unknown): value is Language => value === 'en' || value === 'cn'

/** Chinese addresses of public pages; `web/i18n/language.ts` builds them. */
const chinesePrefix = '/cn'
const chineseAddress = new RegExp(`^${chinesePrefix}(?=[/?]|$)`)
export const isChinese = (path: string): boolean => chineseAddress.test(path)
export const withoutPrefix = (path: string): string =>
  isChinese(path) ? path.slice(chinesePrefix.length) || '/' : path
export const withPrefix = (path: string): string => chinesePrefix + path

/** The language in a request's cookies; null where there is none. */
export function languageInCookies(header: string | undefined): Language | null {
  const value = header && /(?:^|;\s*)language=(\w+)/.exec(header)?.[1]
  return isLanguage(value) ? value : null
}

/** The cookie with the chosen language. The server renews it, because Safari soon deletes cookies set by scripts. */
export const languageCookie = (language: Language, isSecure: boolean): string =>
  `${name}=${language}; Path=/; Max-Age=${maxAge}; SameSite=Lax${isSecure ? '; Secure' : ''}`
