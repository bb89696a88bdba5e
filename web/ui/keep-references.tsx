import type { ReactNode } from 'react'
import styles from './keep-references.module.css'

/**
 * Keeps references of orders and withdrawals (COIN-12345-6789A) in one piece in a heading, although they contain
 * hyphens.
 */
export function keepReferences(heading: ReactNode): ReactNode {
  if (typeof heading !== 'string') return heading
  return heading.split(/([A-Z]+(?:-[0-9A-F]{5}){2})/).map((part, index) =>
    index % 2 === 1 ? (
      <span key={part} className={styles.reference}>
        {part}
      </span>
    ) : (
      part
    ),
  )
}
