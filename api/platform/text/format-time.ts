import { siteLanguages, spaceDate, type Language } from '#contract/platform/languages.ts'

const localeOf = (language: Language): string | undefined => siteLanguages[language]?.locale

const formatters = new Map<string, Intl.DateTimeFormat>()

/** Keeps each formatter, because creating one takes several times as long as using it. */
function formatterOf(locale: string | undefined, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([locale, options])
  const kept = formatters.get(key) ?? new Intl.DateTimeFormat(locale, options)
  formatters.set(key, kept)
  return kept
}

/** Formats a day in UTC. */
export const formatDay = (date: Date, language: Language): string =>
  spaceDate(formatterOf(localeOf(language), { dateStyle: 'long', timeZone: 'UTC' }).format(date))

/** Formats a moment to the minute, with the time zone. Emails don't know where they are read, so it is in UTC. */
export const formatMoment = (date: Date, language: Language): string =>
  `${spaceDate(formatterOf(localeOf(language), { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(date))} UTC`

/** Formats a moment for any language, with its day unless that is today: `14:30 UTC` or `2036-05-01 14:30 UTC`. */
export function formatTime(at: Date): string {
  const [day, time = ''] = at.toISOString().split('T')
  const isToday = day === new Date().toISOString().split('T')[0]
  return `${isToday ? '' : `${day} `}${time.slice(0, 5)} UTC`
}

/** Returns the calendar day of a moment in a time zone, for example `2036-05-01`. */
export function dayIn(timeZone: string, at: Date): string {
  const parts = formatterOf('en', {
    timeZone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).formatToParts(at)
  const of = (type: string) => parts.find((part) => part.type === type)?.value ?? ''
  return `${of('year')}-${of('month')}-${of('day')}`
}
