import { siteLanguages, type Language } from '#contract/languages.ts'
import { spaceDate } from '#contract/space-date.ts'

const localeOf = (language: Language): string | undefined => siteLanguages[language]?.locale

/** The day, in UTC. */
export const formatDay = (date: Date, language: Language): string =>
  spaceDate(new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long', timeZone: 'UTC' }).format(date))

/** The moment to the minute, with the zone named. A mail does not know where it is read, so it is in UTC. */
export const formatMoment = (date: Date, language: Language): string =>
  `${spaceDate(new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(date))} UTC`
