import type { Language } from '#contract/platform/fields.ts'
import { locale } from './language.ts'

/** A plain decimal in the reader's number format, without losing a digit. */
export const formatDecimal = (decimal: string, language: Language): string =>
  new Intl.NumberFormat(locale[language], { maximumFractionDigits: 18 }).format(decimal as `${number}`)
