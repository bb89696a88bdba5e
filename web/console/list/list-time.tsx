import type { Language } from '#contract/platform/languages.ts'
import { joinDate } from '../../kernel/i18n/interpolate.ts'
import { locale } from '../../kernel/i18n/language.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'

/** A time in a column. The tooltip shows the reader's time zone. */
export function ListTime({ at }: { at: string }) {
  const { language, formatMoment } = useMessages()
  return (
    <time dateTime={at} title={formatMoment(at)}>
      {inColumn(at, language, { timeStyle: 'short' })}
    </time>
  )
}

/** A day in a column. The tooltip shows the exact time. */
export function ListDay({ at }: { at: string }) {
  const { language, formatMoment } = useMessages()
  return (
    <time dateTime={at} title={formatMoment(at)}>
      {inColumn(at, language)}
    </time>
  )
}

/** A time to the second and in UTC, for a column that is compared with other logs. */
export function ListTimeInUtc({ at }: { at: string }) {
  const { language } = useMessages()
  return (
    <time dateTime={at} title={at}>
      {inColumn(at, language, { timeStyle: 'medium', timeZone: 'UTC' })}
    </time>
  )
}

/** A Chinese date in words is too wide for a column. A line breaks only between the date and the time. */
const inColumn = (at: string, language: Language, time?: Intl.DateTimeFormatOptions): string =>
  joinDate(
    new Intl.DateTimeFormat(locale[language], {
      dateStyle: language === 'cn' ? 'short' : 'medium',
      ...time,
    }).format(new Date(at)),
  ).replace(/, (?=\d{4})/, ',\u{A0}')
