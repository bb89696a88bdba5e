import type { Language } from '#contract/fields.ts'

const tags: Record<Language, string> = { en: 'en-US', cn: 'zh-CN' }

/** The day, in UTC. */
export const formatDay = (date: Date, language: Language): string =>
  new Intl.DateTimeFormat(tags[language], { dateStyle: 'long', timeZone: 'UTC' }).format(date)

/** The moment to the minute, with the zone named. A mail does not know where it is read, so it is in UTC. */
export const formatMoment = (date: Date, language: Language): string =>
  `${new Intl.DateTimeFormat(tags[language], { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(date)} UTC`
