import type { Language } from '#contract/fields.ts'
import cnPaper from '#content/messages/cn/case-paper.json' with { type: 'json' }
import cnKyc from '#content/messages/cn/kyc.json' with { type: 'json' }
import cnReview from '#content/messages/cn/review.json' with { type: 'json' }
import enPaper from '#content/messages/en/case-paper.json' with { type: 'json' }
import enKyc from '#content/messages/en/kyc.json' with { type: 'json' }
import enReview from '#content/messages/en/review.json' with { type: 'json' }
import { fill, type ValuesFor } from '../../../fill.ts'
import type { Placeholders } from '../../../placeholders.ts'

const words = {
  en: { ...enKyc, ...enReview, ...enPaper },
  cn: { ...cnKyc, ...cnReview, ...cnPaper },
} satisfies Record<Language, Record<string, string>>

export type PaperKey = keyof (typeof words)['en']
type PlaceholderOf<Key extends PaperKey> = Key extends keyof Placeholders ? Placeholders[Key] : never

export type Say = <Key extends PaperKey>(key: Key, ...values: ValuesFor<PlaceholderOf<Key>>) => string

/** The keys of sentences that need these values, some of them or none. */
export type PaperKeyTaking<Placeholder extends string> = {
  [Key in PaperKey]: PlaceholderOf<Key> extends Placeholder ? Key : never
}[PaperKey]

/** The desk's own words, so that paper and screen say the same. */
export const sayIn =
  (language: Language): Say =>
  (key, ...[values]) =>
    fill(words[language][key], values)
