import { siteLanguages, type Language } from '#contract/languages.ts'
import { spaceDate } from '#contract/space-date.ts'

const localeOf = (language: Language): string | undefined => siteLanguages[language]?.locale

/** Formats a day in UTC. */
export const formatDay = (date: Date, language: Language): string =>
  spaceDate(new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long', timeZone: 'UTC' }).format(date))

/** Formats a moment to the minute, with the time zone. Emails don't know where they are read, so it is in UTC. */
export const formatMoment = (date: Date, language: Language): string =>
  `${spaceDate(new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(date))} UTC`
