import type { ReactNode } from 'react'
import { formatMoment } from '../../kernel/i18n/format-moment.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { staffName } from '../../kernel/i18n/staff-name.ts'
import styles from './timeline.module.css'

/** One event: what, when, by whom, and details. */
export type TimelineEvent = {
  key: string
  at: string
  what: ReactNode
  by?: ReactNode
  more?: ReactNode
  /** `end`: nothing follows. `waits`: someone has to act. */
  mark?: 'end' | 'waits'
}

/** Events, in the given order. */
export function Timeline({ events }: { events: readonly TimelineEvent[] }) {
  const { language } = useMessages()
  return (
    <ol className={styles.timeline}>
      {events.map(({ key, at, what, by, more, mark }) => (
        <li key={key} data-mark={mark}>
          <span>{what}</span>
          <span className={styles.when}>
            <time dateTime={at}>{formatMoment(at, language)}</time>
            {by && <> · {typeof by === 'string' ? staffName(by, language) : by}</>}
          </span>
          {more && <div className={styles.more}>{more}</div>}
        </li>
      ))}
    </ol>
  )
}
