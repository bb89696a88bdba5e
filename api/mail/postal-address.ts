import type { Language } from '#contract/languages.ts'
import brand from '#content/brand.json' with { type: 'json' }

type Address = Readonly<Partial<Record<Language, readonly string[]>>>
let address: Address = brand.address

/** The team can change it at runtime, and emails are written in code without access to it. */
export function setPostalAddress(given: Address): void {
  address = given
}

/** The sender's postal address in one line, or an empty text if the content has none. */
export function postalAddress(language: Language): string {
  const lines = address[language] ?? address.en ?? []
  return lines.join(language === 'cn' ? '，' : ', ')
}
