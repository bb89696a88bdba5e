import type { Language } from '#contract/fields.ts'
import brand from '#content/brand.json' with { type: 'json' }
import cnPaper from '#content/messages/cn/case-paper.json' with { type: 'json' }
import cnKyc from '#content/messages/cn/kyc.json' with { type: 'json' }
import cnReview from '#content/messages/cn/review.json' with { type: 'json' }
import enPaper from '#content/messages/en/case-paper.json' with { type: 'json' }
import enKyc from '#content/messages/en/kyc.json' with { type: 'json' }
import enReview from '#content/messages/en/review.json' with { type: 'json' }

const words = {
  en: { ...enKyc, ...enReview, ...enPaper },
  cn: { ...cnKyc, ...cnReview, ...cnPaper },
} satisfies Record<Language, Record<string, string>>

export type PaperKey = keyof (typeof words)['en']
export type Say = (key: PaperKey, values?: Record<string, string | number>) => string

/** The desk's own words, so that paper and screen say the same. */
export const sayIn =
  (language: Language): Say =>
  (key, values = {}) => {
    const filled: Record<string, string | number> = { brand: brand.name, ticker: brand.ticker, ...values }
    return words[language][key].replaceAll(/\{(\w+)\}/g, (whole, name: string) => `${filled[name] ?? whole}`)
  }
