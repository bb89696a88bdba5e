import type { Language } from '#contract/fields.ts'

/** The tag for `<html lang>`, `hreflang` and the like. */
export const htmlLanguage: Record<Language, string> = { en: 'en', cn: 'zh-Hans' }

/** Both, in the order in which they are offered. */
export const offeredLanguages = Object.keys(htmlLanguage) as Language[]

/** The locale for dates and numbers. */
export const locale: Record<Language, string> = { en: 'en-US', cn: 'zh-CN' }

export const languageCookie = 'language'

/** Public pages have a Chinese alternate under this prefix, for search engines and for sharing. */
export const chinesePrefix = '/cn'

export const isChineseAddress = (path: string): boolean =>
  path === chinesePrefix || path.startsWith(`${chinesePrefix}/`)

/** The same page's address in the other form: `/news` and `/cn/news`, `/` and `/cn/`. */
export const withPrefix = (path: string): string => chinesePrefix + path
export const withoutPrefix = (path: string): string =>
  isChineseAddress(path) ? path.slice(chinesePrefix.length) || '/' : path

/** Reads a stored choice. Nothing stored is no choice; a language that does not exist means English. */
export const choiceOf = (stored: string | null): Language | null =>
  stored === null ? null : stored === 'cn' ? 'cn' : 'en'

/** Whether somebody whose browser asks for these languages, the dearest first, would rather read Chinese than English. */
export const prefersChinese = (tags: readonly string[]): boolean =>
  tags
    .find((tag) => /^(zh|en)\b/i.test(tag))
    ?.toLowerCase()
    .startsWith('zh') ?? false
