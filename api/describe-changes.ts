import { siteLanguages, type Language } from '#contract/languages.ts'

/** `note` follows in parentheses. */
type Change = { name: string; from: string | null; to: string | null; note?: string | undefined }

const nothing = '–'
const isChinese = (language: Language): boolean => siteLanguages[language].tag.startsWith('zh')

/** Changes in one line of an email, with the punctuation of its language. Empty for none. */
export function describeChanges(changes: readonly Change[], language: Language): string {
  const [colon, separator] = isChinese(language) ? ['：', '；'] : [': ', '; ']
  return changes
    .map(({ name, from, to, note }) => {
      const values = `${from || nothing} → ${to || nothing}`
      return name + colon + values + (note === undefined ? '' : inParentheses(note, language))
    })
    .join(separator)
}

const inParentheses = (note: string, language: Language): string =>
  isChinese(language) ? `（${note}）` : ` (${note})`

/** Email addresses in a sentence: Han letters keep a space from Latin ones. */
export const joinNames = (names: readonly string[], language: Language): string =>
  isChinese(language)
    ? names.join(' 和 ')
    : new Intl.ListFormat(siteLanguages[language].locale, { type: 'conjunction' }).format(names)
