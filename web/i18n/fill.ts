import { name, ticker } from '#content/brand.json'
import type { Language } from '#contract/fields.ts'
import { locale } from './language.ts'

export type Values = Readonly<Record<string, string | number>>

/** Puts values in place of `{name}`; `{brand}` and `{ticker}` are always known. What nobody gives stays visible. */
export function fill(message: string, language: Language, values: Values = {}): string {
  return message.replaceAll(/\{(\w+)\}/g, (whole, placeholder: string) => {
    const value = values[placeholder]
    if (typeof value === 'number') return formatNumber(value, language)
    if (value !== undefined) return value
    if (placeholder === 'brand') return name
    return placeholder === 'ticker' ? ticker : whole
  })
}

export const formatNumber = (value: number, language: Language): string =>
  new Intl.NumberFormat(locale[language], { maximumFractionDigits: 8 }).format(value)

/** The day in UTC, so that server and browser write the same. */
export const formatDate = (iso: string, language: Language): string =>
  new Intl.DateTimeFormat(locale[language], { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(iso))

/** In the reader's own time zone: only for what the browser alone renders. */
export const formatDateTime = (iso: string, language: Language): string =>
  new Intl.DateTimeFormat(locale[language], { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(iso))
