import type { Language } from '#contract/platform/fields.ts'
import { addNote, formatDate, formatDateTime } from './interpolate.ts'
import { locale } from './language.ts'

/** Like `formatDateTime`, but includes the reader's time zone, for deadlines and printed documents. */
export function formatMoment(iso: string, language: Language): string {
  const dated = new Intl.DateTimeFormat(locale[language], { timeZoneName: 'shortOffset' }).format(
    new Date(iso),
  )
  // The zone is the last word.
  return `${formatDateTime(iso, language)}\u{A0}${dated.replace(/.*\s/, '').replace(/^GMT(?:\+0)?/, 'UTC')}`
}

/** Formats a moment to the minute in UTC, so that server and browser render the same. */
export const formatUtcMoment = (iso: string, language: Language): string =>
  addNote(
    `${formatDate(iso, language)}${language === 'cn' ? ' ' : ', '}${iso.slice(11, 16)}`,
    'UTC',
    language,
  )
