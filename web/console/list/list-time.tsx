import { useWords } from '../../i18n/words.tsx'

/** A moment in a column: the reader's own time, with its zone where one points at it. */
export function ListTime({ at }: { at: string }) {
  const { formatDateTime, formatMoment } = useWords()
  return (
    <time dateTime={at} title={formatMoment(at)}>
      {formatDateTime(at)}
    </time>
  )
}
