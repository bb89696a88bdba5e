import type { Language } from '#contract/fields.ts'

/** The tag for `<html lang>`, `hreflang` and the like. */
export const htmlLanguage: Record<Language, string> = { en: 'en', cn: 'zh-Hans' }

/** Both, in the order offered. */
export const offeredLanguages = Object.keys(htmlLanguage) as Language[]

/** The locale for dates and numbers. */
export const locale: Record<Language, string> = { en: 'en-US', cn: 'zh-CN' }

export const languageCookie = 'language'

/** Public pages have a Chinese alternate under this prefix, for search engines and for sharing. */
export const chinesePrefix = '/cn'

export const isChineseAddress = (path: string): boolean =>
  path === chinesePrefix || path.startsWith(`${chinesePrefix}/`)

/** The page's address with or without the prefix: `/news` and `/cn/news`, `/` and `/cn/`. */
export const withPrefix = (path: string): string => chinesePrefix + path
export const withoutPrefix = (path: string): string =>
  isChineseAddress(path) ? path.slice(chinesePrefix.length) || '/' : path

/** Parses a stored choice. Nothing stored means no choice; an unknown language means English. */
export const choiceOf = (stored: string | null): Language | null =>
  stored === null ? null : stored === 'cn' ? 'cn' : 'en'

/** Whether a browser with these languages, most preferred first, prefers Chinese to English. */
export const prefersChinese = (tags: readonly string[]): boolean =>
  tags
    .find((tag) => /^(zh|en)\b/i.test(tag))
    ?.toLowerCase()
    .startsWith('zh') ?? false
