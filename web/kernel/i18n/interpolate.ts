import { name, ticker } from '#content/brand.json'
import type { Language } from '#contract/platform/fields.ts'
import { spaceDate } from '#contract/platform/dates.ts'
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
  return language === 'cn'
    ? keepUnits(fillChinese(message, valueOf))
    : message.replaceAll(/\{(\w+)\}/g, (_, placeholder: string) => valueOf(placeholder))
}

const chineseStart = /^[\p{Script=Han}\u3000-\u303F\uFF00-\uFFEF]/u
const chineseEnd = /[\p{Script=Han}\u3000-\u303F\uFF00-\uFFEF]$/u

/** Messages have the space that Latin values and numbers need. It is left out between two Chinese characters. */
function fillChinese(message: string, valueOf: (placeholder: string) => string): string {
  // Every second part is a placeholder with the spaces around it.
  const parts = message.split(/( ?\{\w+\} ?)/)
  const filled = parts.map((part, index) => {
    if (index % 2 === 0) return part
    const value = withChineseBrackets(valueOf(part.trim().slice(1, -1)))
    const isJoinedBefore = chineseEnd.test(parts[index - 1]!) && chineseStart.test(value)
    const isJoinedAfter = chineseStart.test(parts[index + 1]!) && chineseEnd.test(value)
    const before = part.startsWith(' ') && !isJoinedBefore ? ' ' : ''
    const after = part.endsWith(' ') && !isJoinedAfter ? ' ' : ''
    return before + value + after
  })
  return filled.join('')
}

/** Keeps a number and its Chinese unit on one line. */
const keepUnits = (text: string): string =>
  text.replaceAll(/(?<=\d) (?=[分小天年月日时秒个人份项条次倍万亿])/g, '\u{A0}')

/** The API returns the names of staff as `Name (address)`. */
export const withChineseBrackets = (name: string): string =>
  name.replace(/ \(([^\s()]+@[^\s()]+)\)$/, '（$1）')

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

/** Joins alternatives in Latin letters. `Intl` leaves out the spaces between Han and Latin characters. */
export const joinChoices = (choices: readonly string[], language: Language): string =>
  new Intl.ListFormat(locale[language], { type: 'disjunction' })
    .format(choices)
    .replaceAll(/(?<=[\w.])(?=\p{Script=Han})|(?<=\p{Script=Han})(?=\w)/gu, ' ')

/** Joins a name and its value with the language's own colon. */
export const nameValue = (name: string, value: string, language: Language): string =>
  language === 'cn' ? `${name}：${value}` : `${name}: ${value}`

/** Joins sentences. Chinese sentences have no space between them. */
export const joinSentences = (sentences: readonly string[], language: Language): string =>
  language === 'cn' ? sentences.join(' ').replaceAll(/(?<=[。！？；]) /g, '') : sentences.join(' ')

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
    /^([A-Z][a-z]+) (?=\d)|(?<=\d) (?=[年月日])|(?<=[年月]) (?=\d)|(?<=\d)\s(?=[AP]M\b)/g,
    '$1\u{A0}',
  )

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
  return `${formatDateTime(iso, language)}\u{A0}${zone.replace(/^GMT(?:\+0)?/, 'UTC')}`
}
