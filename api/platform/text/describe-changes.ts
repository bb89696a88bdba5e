import { siteLanguages, type Language } from '#contract/platform/languages.ts'

/** A change of one field; `note` follows in parentheses. */
type Change = { name: string; from: string | null; to: string | null; note?: string | undefined }

const nothing = '–'
const isChinese = (language: Language): boolean => siteLanguages[language].tag.startsWith('zh')

/** Describes changes in one line of an email, with the punctuation of its language. Empty if there are none. */
export function describeChanges(changes: readonly Change[], language: Language): string {
  const [colon, separator] = isChinese(language) ? ['：', '；'] : [': ', '; ']
  return changes
    .map(({ name, from, to, note }) => {
      const values = `${from || nothing} → ${to || nothing}`
      return name + colon + (note === undefined ? values : addNote(values, note, language))
    })
    .join(separator)
}

/** Appends a note to a text in the language's own brackets. */
export const addNote = (text: string, note: string, language: Language): string =>
  isChinese(language) ? `${text}（${note}）` : `${text} (${note})`

/** Joins email addresses in a sentence. In Chinese, a space separates Han characters from Latin letters. */
export const joinNames = (names: readonly string[], language: Language): string =>
  isChinese(language)
    ? names.join(' 和 ')
    : new Intl.ListFormat(siteLanguages[language].locale, { type: 'conjunction' }).format(names)
