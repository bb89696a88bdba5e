import type { ReactNode } from 'react'
import styles from './page-hero.module.css'

/**
 * The dark hero of a public page, which extends under the header. `low` is for pages that consist mainly of text.
 * `drawing` fills the area behind the text and is decorative.
 */
export function PageHero({
  heading,
  lead,
  drawing,
  above,
  children,
  size = 'tall',
}: {
  heading: ReactNode
  lead?: ReactNode
  drawing?: ReactNode
  /** A line above the heading. */
  above?: ReactNode
  children?: ReactNode
  size?: 'tall' | 'low'
}) {
  return (
    <header className={`${styles.hero} ${styles[size]}`} data-ground="dark">
      {drawing && (
        <div className={styles.drawing} aria-hidden="true">
          {drawing}
        </div>
      )}
      <div className={styles.words}>
        {above}
        <h1>{heading}</h1>
        {lead && <p className={styles.lead}>{lead}</p>}
        {children && <div className={styles.more}>{children}</div>}
      </div>
    </header>
  )
}
