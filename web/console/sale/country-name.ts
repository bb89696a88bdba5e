import type { Language } from '#contract/platform/languages.ts'
import { locale } from '../../kernel/i18n/language.ts'

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']

/** The name of a country in the reader's language, or its code if it has none. */
export const countryName = (code: string, language: Language): string =>
  new Intl.DisplayNames(locale[language], { type: 'region' }).of(code) ?? code

/** The countries and regions of ISO 3166-1 by their names in the reader's language. */
export function listCountries(language: Language): { code: string; name: string }[] {
  const names = new Intl.DisplayNames(locale[language], { type: 'region', fallback: 'none' })
  return letters
    .flatMap((first) => letters.map((second) => first + second))
    .filter(isCountry)
    .flatMap((code) => {
      const name = names.of(code)
      return name === undefined ? [] : [{ code, name }]
    })
    .toSorted((a, b) => a.name.localeCompare(b.name, locale[language]))
}

/** A former code resolves to its successor; some others are groups of countries or for private use. */
const isCountry = (code: string): boolean =>
  new Intl.Locale('und', { region: code }).region === code &&
  !/^(?:X[^K]|ZZ|A[AC]|CP|CQ|DG|EA|IC|TA|Q[M-Z]|EU|EZ|UN)/.test(code)
