import { name, ticker } from '#content/brand.json'
import type { Language } from '#contract/fields.ts'
import { spaceDate } from '#contract/space-date.ts'
import { locale } from './language.ts'

/** By placeholder; the callers' types (`message-key.ts`) require the right ones. */
export type AnyValues = Readonly<Record<string, string | number>>

const alwaysKnown: AnyValues = { brand: name, ticker }

/**
 * Replaces `{name}` by its value. A placeholder without a value is a bug: it throws in development; in production
 * readers still get the sentence.
 */
export function fill(message: string, language: Language, values: AnyValues = {}): string {
  return message.replaceAll(/\{(\w+)\}/g, (whole, placeholder: string) => {
    const value = values[placeholder] ?? alwaysKnown[placeholder]
    if (typeof value === 'number') return formatNumber(value, language)
    if (value !== undefined) return value
    // The message is ours and contains no values yet, so it may be logged.
    const complaint = `no value for ${whole} in: ${message}`
    if (import.meta.env.DEV) throw new Error(complaint)
    console.error(complaint)
    return whole
  })
}

/** To make one takes a hundred times as long as to use it. */
function inEach<Formatter>(make: (locale: string) => Formatter): (language: Language) => Formatter {
  const made: { [Known in Language]?: Formatter } = {}
  return (language) => (made[language] ??= make(locale[language]))
}
const numbersIn = inEach((locale) => new Intl.NumberFormat(locale, { maximumFractionDigits: 8 }))
const datesIn = inEach((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }))

export const formatNumber = (value: number, language: Language): string => numbersIn(language).format(value)

/** The date in UTC, so that server and browser render the same. */
export const formatDate = (iso: string, language: Language): string =>
  spaceDate(datesIn(language).format(new Date(iso)))

/** In the reader's own time zone: only for what is rendered in the browser alone. */
export const formatDateTime = (iso: string, language: Language): string =>
  spaceDate(
    new Intl.DateTimeFormat(locale[language], { dateStyle: 'medium', timeStyle: 'short' }).format(
      new Date(iso),
    ),
  )

/** The day in the reader's own zone. */
export const formatDay = (iso: string, language: Language): string =>
  spaceDate(new Intl.DateTimeFormat(locale[language], { dateStyle: 'medium' }).format(new Date(iso)))

/** As `formatDateTime`, with the reader's zone named: for deadlines and for what is printed. */
export function formatMoment(iso: string, language: Language): string {
  const parts = new Intl.DateTimeFormat(locale[language], { timeZoneName: 'shortOffset' }).formatToParts(
    new Date(iso),
  )
  const zone = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  return `${formatDateTime(iso, language)} ${zone}`
}
