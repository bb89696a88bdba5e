import type { ReactNode } from 'react'
import { useWords } from '../../i18n/words.tsx'
import styles from './timeline.module.css'

/** One event: what, when, by whom, and details. */
export type Happened = {
  key: string
  at: string
  what: ReactNode
  by?: ReactNode
  more?: ReactNode
  /** `end`: nothing follows. `waits`: someone has to act. */
  mark?: 'end' | 'waits'
}

/** Events, in the given order. */
export function Timeline({ happened }: { happened: readonly Happened[] }) {
  const { formatMoment } = useWords()
  return (
    <ol className={styles.timeline}>
      {happened.map(({ key, at, what, by, more, mark }) => (
        <li key={key} data-mark={mark}>
          <span className={styles.what}>{what}</span>
          <span className={styles.when}>
            <time dateTime={at}>{formatMoment(at)}</time>
            {by && <> · {by}</>}
          </span>
          {more && <div className={styles.more}>{more}</div>}
        </li>
      ))}
    </ol>
  )
}
