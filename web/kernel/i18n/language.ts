import { languages, siteLanguages, type Language } from '#contract/platform/languages.ts'

type Part = keyof (typeof siteLanguages)[Language]

const each = (part: Part) =>
  Object.fromEntries(languages.map((language) => [language, siteLanguages[language][part]])) as Record<
    Language,
    string
  >

/** The tag for `<html lang>`, `hreflang`, and similar attributes. */
export const htmlLanguage = /* @__PURE__ */ each('tag')

/** The locale for dates and numbers. */
export const locale = /* @__PURE__ */ each('locale')

/** The name of each language in that language. */
export const languageName = /* @__PURE__ */ each('name')

export const languageCookie = 'language'

/** Every language except English has public pages with an address prefix, for search engines and sharing. */
const prefixes = /* @__PURE__ */ each('prefix')

/**
 * Returns the language of an address with a prefix, or null for an address that is shown in the reader's chosen
 * language.
 */
export const languageOfAddress = (path: string): Language | null =>
  languages.find((language) => {
    const prefix = prefixes[language]
    return prefix !== '' && path.startsWith(prefix) && /^[/?]|^$/.test(path.slice(prefix.length))
  }) ?? null

/** Returns the page's address in a language: `/news` and `/cn/news`, `/` and `/cn/`. */
export const withPrefix = (language: Language, path: string): string => prefixes[language] + path

/** Returns the addresses of a file that exists once per language. */
export const inEachLanguage = (path: string): Record<Language, string> =>
  Object.fromEntries(languages.map((language) => [language, withPrefix(language, path)])) as Record<
    Language,
    string
  >

export function withoutPrefix(path: string): string {
  const language = languageOfAddress(path)
  return language ? path.slice(prefixes[language].length) || '/' : path
}

export const isLanguage = (value: unknown): value is Language =>
  (languages as readonly unknown[]).includes(value)

/** Parses a stored choice. Nothing stored means no choice; an unknown language means English. */
export const choiceOf = (stored: string | null): Language | null =>
  stored === null ? null : isLanguage(stored) ? stored : 'en'

/** Returns the site's language that best matches a browser's preferences, given in order, or null if none matches. */
export function preferredOf(tags: readonly string[]): Language | null {
  for (const tag of tags) {
    const [primary] = tag.toLowerCase().split('-')
    const found = languages.find((language) => htmlLanguage[language].toLowerCase().split('-')[0] === primary)
    if (found) return found
  }
  return null
}
