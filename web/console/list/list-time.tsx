import type { Language } from '#contract/platform/languages.ts'
import { locale } from '../../kernel/i18n/language.ts'
import { formatMoment } from '../../kernel/i18n/format-moment.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import styles from './data-table.module.css'

/** A time in a column, by default in the reader's time zone, which the tooltip shows. */
export function ListTime({ at, zone }: { at: string; zone?: string }) {
  const { language } = useMessages()
  return (
    <time className={styles.time} dateTime={at} title={formatMoment(at, language)}>
      {inColumn(at, language, { ...minutes, ...(zone && { timeZone: zone }) })}
    </time>
  )
}

/** A day in a column. The tooltip shows the exact time. */
export function ListDay({ at }: { at: string }) {
  const { language } = useMessages()
  return (
    <time className={styles.time} dateTime={at} title={formatMoment(at, language)}>
      {inColumn(at, language)}
    </time>
  )
}

/** A time to the second and in UTC, for a column that is compared with other logs. */
export function ListTimeInUtc({ at }: { at: string }) {
  const { language } = useMessages()
  return (
    <time className={styles.time} dateTime={at} title={at}>
      {inColumn(at, language, { ...minutes, second: '2-digit', timeZone: 'UTC' })}
    </time>
  )
}

const minutes = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const

/** On one line: `Nov 22, 22:38`, in Chinese `11-22 22:38`. The year is shown if it isn't the current one. */
function inColumn(at: string, language: Language, time?: Intl.DateTimeFormatOptions): string {
  const yearOf = (date: Date) => (time?.timeZone === 'UTC' ? date.getUTCFullYear() : date.getFullYear())
  const date = new Date(at)
  const format = new Intl.DateTimeFormat(locale[language], {
    ...(yearOf(date) !== yearOf(new Date()) && { year: 'numeric' }),
    ...(language === 'cn' ? { month: '2-digit', day: '2-digit' } : { month: 'short', day: 'numeric' }),
    ...time,
  })
  return format.format(date).replaceAll('/', '-')
}

/** The reader's time zone as its current offset, such as UTC+1: the last word of a time with its zone. */
export const currentZone = (language: Language): string =>
  formatMoment(new Date().toISOString(), language).replace(/.*\s/, '')
