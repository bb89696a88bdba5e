import type { Language } from '#contract/fields.ts'

const tags: Record<Language, string> = { en: 'en-US', cn: 'zh-CN' }

/** The day, in UTC. */
export const formatDay = (date: Date, language: Language): string =>
  new Intl.DateTimeFormat(tags[language], { dateStyle: 'long', timeZone: 'UTC' }).format(date)
