import type { Language } from '#contract/platform/languages.ts'
import { locale } from '../../kernel/i18n/language.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'

/** A time in a column. The tooltip shows the reader's time zone. */
export function ListTime({ at }: { at: string }) {
  const { language, formatDateTime, formatMoment } = useMessages()
  return (
    <time dateTime={at} title={formatMoment(at)}>
      {inFigures(at, language, true) ?? formatDateTime(at)}
    </time>
  )
}

/** A day in a column. The tooltip shows the exact time. */
export function ListDay({ at }: { at: string }) {
  const { language, formatDay, formatMoment } = useMessages()
  return (
    <time dateTime={at} title={formatMoment(at)}>
      {inFigures(at, language, false) ?? formatDay(at)}
    </time>
  )
}

/** A Chinese date in words is too wide for a column. */
const inFigures = (at: string, language: Language, hasTime: boolean): string | undefined =>
  language === 'cn'
    ? new Intl.DateTimeFormat(locale[language], {
        dateStyle: 'short',
        ...(hasTime && { timeStyle: 'short' }),
      }).format(new Date(at))
    : undefined
