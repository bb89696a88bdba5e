import { name, ticker } from '#content/brand.json'
import type { Language } from '#contract/fields.ts'
import { locale } from './language.ts'

/** By placeholder; the types of those who call (`message-key.ts`) demand the right ones. */
export type AnyValues = Readonly<Record<string, string | number>>

const alwaysKnown: AnyValues = { brand: name, ticker }

/**
 * Puts values in place of `{name}`. A placeholder that nobody fills is a mistake in the program: while it is worked on
 * that is an error, and readers still get their sentence.
 */
export function fill(message: string, language: Language, values: AnyValues = {}): string {
  return message.replaceAll(/\{(\w+)\}/g, (whole, placeholder: string) => {
    const value = values[placeholder] ?? alwaysKnown[placeholder]
    if (typeof value === 'number') return formatNumber(value, language)
    if (value !== undefined) return value
    // The message is ours and holds no value yet, so it may stand in a log.
    const complaint = `no value for ${whole} in: ${message}`
    if (import.meta.env.DEV) throw new Error(complaint)
    console.error(complaint)
    return whole
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
