import type { Language } from '#contract/fields.ts'
import enPdf from '#content/messages/en/case-pdf.json' with { type: 'json' }
import enKyc from '#content/messages/en/kyc.json' with { type: 'json' }
import enReview from '#content/messages/en/review.json' with { type: 'json' }
import { fill, type ValuesFor } from '../../../fill.ts'
import type { Placeholders } from '../../../placeholders.ts'
import { readTranslations } from '../../../read-translations.ts'

const english = { ...enKyc, ...enReview, ...enPdf }
const parts = [
  readTranslations('messages', enKyc, 'kyc'),
  readTranslations('messages', enReview, 'review'),
  readTranslations('messages', enPdf, 'case-pdf'),
]
const words = (language: Language) =>
  Object.assign({}, ...parts.map((wordsIn) => wordsIn(language))) as typeof english

export type PdfKey = keyof typeof english
type PlaceholderOf<Key extends PdfKey> = Key extends keyof Placeholders ? Placeholders[Key] : never

export type Say = <Key extends PdfKey>(key: Key, ...values: ValuesFor<PlaceholderOf<Key>>) => string

/** Keys of messages whose placeholders are all in the given set. */
export type PdfKeyTaking<Placeholder extends string> = {
  [Key in PdfKey]: PlaceholderOf<Key> extends Placeholder ? Key : never
}[PdfKey]

/** The messages of the review pages, so that PDF and screen use the same words. */
export const sayIn =
  (language: Language): Say =>
  (key, ...[values]) =>
    fill(words(language)[key], values)
