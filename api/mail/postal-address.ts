import type { Language } from '#contract/languages.ts'
import brand from '#content/brand.json' with { type: 'json' }

type Address = Readonly<Partial<Record<Language, readonly string[]>>>
let address: Address = brand.address

/** The team may change it while the program runs; emails are written far from where that is known. */
export function setPostalAddress(given: Address): void {
  address = given
}

/** The postal address of the sender in one line, or an empty text where the content has none. */
export function postalAddress(language: Language): string {
  const lines = address[language] ?? address.en ?? []
  return lines.join(language === 'cn' ? '，' : ', ')
}
