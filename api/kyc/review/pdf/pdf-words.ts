import type { Language } from '#contract/fields.ts'
import cnPdf from '#content/messages/cn/case-pdf.json' with { type: 'json' }
import cnKyc from '#content/messages/cn/kyc.json' with { type: 'json' }
import cnReview from '#content/messages/cn/review.json' with { type: 'json' }
import enPdf from '#content/messages/en/case-pdf.json' with { type: 'json' }
import enKyc from '#content/messages/en/kyc.json' with { type: 'json' }
import enReview from '#content/messages/en/review.json' with { type: 'json' }
import { fill, type ValuesFor } from '../../../fill.ts'
import type { Placeholders } from '../../../placeholders.ts'

const words = {
  en: { ...enKyc, ...enReview, ...enPdf },
  cn: { ...cnKyc, ...cnReview, ...cnPdf },
} satisfies Record<Language, Record<string, string>>

export type PdfKey = keyof (typeof words)['en']
type PlaceholderOf<Key extends PdfKey> = Key extends keyof Placeholders ? Placeholders[Key] : never

export type Say = <Key extends PdfKey>(key: Key, ...values: ValuesFor<PlaceholderOf<Key>>) => string

/** The keys of messages whose placeholders are all among these. */
export type PdfKeyTaking<Placeholder extends string> = {
  [Key in PdfKey]: PlaceholderOf<Key> extends Placeholder ? Key : never
}[PdfKey]

/** The messages of the review pages, so that PDF and screen use the same words. */
export const sayIn =
  (language: Language): Say =>
  (key, ...[values]) =>
    fill(words[language][key], values)
