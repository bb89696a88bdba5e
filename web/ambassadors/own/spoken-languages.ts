import { spokenLanguages } from '#contract/people/ambassador-profiles.ts'
import type { Language } from '#contract/platform/fields.ts'
import { htmlLanguage } from '../../kernel/i18n/language.ts'

export const nameOfLanguage = (code: string, language: Language): string =>
  new Intl.DisplayNames([htmlLanguage[language]], { type: 'language' }).of(code) ?? code

/** All languages by name, in the sort order of the reader’s language. */
export function languagesByName(language: Language): { code: string; name: string }[] {
  const { compare } = new Intl.Collator(htmlLanguage[language])
  return spokenLanguages
    .map((code) => ({ code, name: nameOfLanguage(code, language) }))
    .toSorted((one, other) => compare(one.name, other.name))
}
