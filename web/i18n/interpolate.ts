import { name, ticker } from '#content/brand.json'
import type { Language } from '#contract/fields.ts'
import { spaceDate } from '#contract/dates.ts'
import { locale } from './language.ts'

/** Values by placeholder. The callers' types (`message-key.ts`) require the right ones. */
export type AnyValues = Readonly<Record<string, string | number>>

const alwaysKnown: AnyValues = { brand: name, ticker }

/**
 * Replaces `{name}` with its value. A placeholder without a value is a bug: it throws in development and leaves the
 * sentence readable in production.
 */
export function interpolate(message: string, language: Language, values: AnyValues = {}): string {
  return message.replaceAll(/\{(\w+)\}/g, (whole, placeholder: string) => {
    const value = values[placeholder] ?? alwaysKnown[placeholder]
    if (typeof value === 'number') return formatNumber(value, language)
    if (value !== undefined) return value
    // The message is our own text without values, so it can be logged.
    const complaint = `no value for ${whole} in: ${message}`
    if (import.meta.env.DEV) throw new Error(complaint)
    console.error(complaint)
    return whole
  })
}

/** Creating a formatter takes a hundred times as long as using it. */
function inEach<Formatter>(make: (locale: string) => Formatter): (language: Language) => Formatter {
  const made: { [Known in Language]?: Formatter } = {}
  return (language) => (made[language] ??= make(locale[language]))
}
const numbersIn = inEach((locale) => new Intl.NumberFormat(locale, { maximumFractionDigits: 8 }))
const datesIn = inEach((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }))

export const formatNumber = (value: number, language: Language): string => numbersIn(language).format(value)

/** Joins names with the language's own separator. */
export const joinNames = (names: readonly string[], language: Language): string =>
  names.join(language === 'cn' ? '、' : ', ')

/** Joins a name and its value with the language's own colon. */
export const nameValue = (name: string, value: string, language: Language): string =>
  language === 'cn' ? `${name}：${value}` : `${name}: ${value}`

/** Appends a note to a text in the language's own brackets. */
export const addNote = (text: string, note: string, language: Language): string =>
  language === 'cn' ? `${text}（${note}）` : `${text} (${note})`

/** Formats the date in UTC, so that server and browser render the same. */
export const formatDate = (iso: string, language: Language): string =>
  joinDate(datesIn(language).format(new Date(iso)))

/** Spaces a formatted date, and keeps an English month and its day, and a whole Chinese date, on one line. */
export const joinDate = (date: string): string =>
  spaceDate(date).replaceAll(/^([A-Z][a-z]+) (?=\d)|(?<=\d) (?=[年月日])|(?<=[年月]) (?=\d)/g, '$1\u{A0}')

/** Uses the reader's time zone, so it is only for text that is rendered in the browser. */
export const formatDateTime = (iso: string, language: Language): string =>
  joinDate(
    new Intl.DateTimeFormat(locale[language], { dateStyle: 'medium', timeStyle: 'short' }).format(
      new Date(iso),
    ),
  )

/** Formats the day in the reader's time zone. */
export const formatDay = (iso: string, language: Language): string =>
  joinDate(new Intl.DateTimeFormat(locale[language], { dateStyle: 'medium' }).format(new Date(iso)))

/** Like `formatDateTime`, but includes the reader's time zone, for deadlines and printed documents. */
export function formatMoment(iso: string, language: Language): string {
  const parts = new Intl.DateTimeFormat(locale[language], { timeZoneName: 'shortOffset' }).formatToParts(
    new Date(iso),
  )
  const zone = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  return `${formatDateTime(iso, language)} ${zone}`
}
