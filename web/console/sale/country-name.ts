import type { Language } from '#contract/platform/languages.ts'
import { locale } from '../../kernel/i18n/language.ts'

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']

/** The name of a country in the reader's language, or its code if it has none. */
export const countryName = (code: string, language: Language): string =>
  new Intl.DisplayNames(locale[language], { type: 'region' }).of(code) ?? code

/** Finds the code of a country (ISO 3166-1) by its name in the reader's language, or by the code itself. */
export function findCountry(typed: string, language: Language): string | undefined {
  const wanted = typed.trim().toLowerCase()
  const names = new Intl.DisplayNames(locale[language], { type: 'region', fallback: 'none' })
  return letters
    .flatMap((first) => letters.map((second) => first + second))
    .find((code) => {
      const name = names.of(code)
      if (name === undefined || (code.toLowerCase() !== wanted && name.toLowerCase() !== wanted)) return false
      // A former code resolves to its successor; some others are groups of countries or for private use.
      const isCurrent = new Intl.Locale('und', { region: code }).region === code
      return isCurrent && !/^(?:X[^K]|ZZ|Q[M-Z]|EU|EZ|UN)/.test(code)
    })
}
