import type { ReactNode } from 'react'
import { useMessages } from '../../../kernel/i18n/messages.tsx'
import { labelOf, pathTo } from '../../../kernel/routes/routes.ts'
import styles from './question.module.css'

/**
 * A question that expands its answer. The ID is on the answer inside, so that a browser that navigates there, by URL or
 * by find-in-page, opens it without JavaScript.
 */
export function Question({
  id,
  question,
  size = 'plain',
  isOpen = false,
  page,
  children,
}: {
  id: string
  question: string
  size?: 'plain' | 'large' | 'small'
  isOpen?: boolean
  /** The page that the answer links to. */
  page?: 'sale' | undefined
  children: ReactNode
}) {
  const { t } = useMessages()
  return (
    <details className={`${styles.question} ${styles[size]}`} open={isOpen}>
      <summary>
        <h3>{question}</h3>
        <svg viewBox="-10 -10 20 20" width="20" height="20" aria-hidden="true">
          <path d="M-9 0H9" />
          <path className={styles.upright} d="M0-9V9" />
        </svg>
      </summary>
      <div id={id} className={styles.answer}>
        {children}
        {page && (
          <p>
            <a href={pathTo(page)}>{t(labelOf(page))}</a>
          </p>
        )}
        <p>
          <a className={styles.address} href={`#${id}`}>
            #{id}
          </a>
        </p>
      </div>
    </details>
  )
}

export const Paragraphs = ({ texts }: { texts: readonly string[] }) =>
  texts.map((text) => <p key={text}>{text}</p>)
