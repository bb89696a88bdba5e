import type { Language } from '#contract/platform/languages.ts'

/** Writes the name of a staff member, which the API returns as `Name (address)`, with the brackets of the language. */
export const staffName = (name: string, language: Language): string =>
  language === 'cn' ? name.replace(/ \(([^\s()]+@[^\s()]+)\)$/, '（$1）') : name
