import { name, ticker } from '#content/brand.json'
import type { Language } from '#contract/platform/fields.ts'
import { spaceDate } from '#contract/platform/languages.ts'
import { locale } from './language.ts'

/** Values by placeholder. The callers' types (`message-key.ts`) require the right ones. */
export type AnyValues = Readonly<Record<string, string | number>>

const alwaysKnown: AnyValues = { brand: name, ticker }

/**
 * Replaces `{name}` with its value. A placeholder without a value is a bug: it throws in development and leaves the
 * sentence readable in production.
 */
export function interpolate(message: string, language: Language, values: AnyValues = {}): string {
  const valueOf = (placeholder: string): string => {
    const value = values[placeholder] ?? alwaysKnown[placeholder]
    if (typeof value === 'number') return formatNumber(value, language)
    if (value !== undefined) return value
    // The message is our own text without values, so it can be logged.
    const complaint = `no value for {${placeholder}} in: ${message}`
    if (import.meta.env.DEV) throw new Error(complaint)
    console.error(complaint)
    return `{${placeholder}}`
  }
  const mark = language === 'cn' ? '\0' : ''
  const filled = message.replaceAll(
    /\{(\w+)\}/g,
    (_, placeholder: string) => mark + valueOf(placeholder) + mark,
  )
  // Two Chinese characters have no space between them, and a line must not break between a number and its unit.
  return mark
    ? filled.replaceAll(spaceBesideValue, '').replaceAll(/(?<=(?<![\w-])\d+) (?=[\u3000-\uFFEF])/g, '\u{A0}')
    : filled
}

/** A space beside a value, between two Chinese characters, and the marks of values. */
const spaceBesideValue = /(?<=[\u3000-\uFFEF])(?:\0 | \0)(?=[\u3000-\uFFEF])|\0/g

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

/**
 * Spaces a formatted date, and keeps an English month and its day, a whole Chinese date, and a time of day each on one
 * line.
 */
export const joinDate = (date: string): string =>
  spaceDate(date).replaceAll(
    /^([A-Z][a-z]+) (?=\d)|(?<=\d)\s(?=[年月日]|[AP]M)|(?<=[年月]) (?=\d)/g,
    '$1\u{A0}',
  )

/** Uses the reader's time zone, so it is only for text that is rendered in the browser. */
export const formatDateTime = (iso: string, language: Language): string =>
  joinDate(
    new Intl.DateTimeFormat(locale[language], { dateStyle: 'medium', timeStyle: 'short' }).format(
      new Date(iso),
    ),
  )
