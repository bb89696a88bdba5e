import type { Language } from '#contract/platform/fields.ts'
import { formatDateTime } from './interpolate.ts'
import { locale } from './language.ts'

/** Like `formatDateTime`, but includes the reader's time zone, for deadlines and printed documents. */
export function formatMoment(iso: string, language: Language): string {
  const dated = new Intl.DateTimeFormat(locale[language], { timeZoneName: 'shortOffset' }).format(
    new Date(iso),
  )
  // The zone is the last word.
  return `${formatDateTime(iso, language)}\u{A0}${dated.replace(/.*\s/, '').replace(/^GMT(?:\+0)?/, 'UTC')}`
}
