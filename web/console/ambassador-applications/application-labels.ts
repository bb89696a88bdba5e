import type { Language } from '#contract/languages.ts'
import { locale } from '../../i18n/language.ts'

/** The name of a country in the reader’s language; text that is not a country code is shown as typed. */
export function countryName(key: string, language: Language): string {
  if (!/^[A-Z]{2}$/.test(key)) return key
  return new Intl.DisplayNames(locale[language], { type: 'region' }).of(key) ?? key
}
