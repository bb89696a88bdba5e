import type { ReactNode } from 'react'
import styles from './home-section.module.css'

/**
 * A section on the page's twelve columns, labeled by its heading. The heading takes a full row unless `headClass` moves
 * it.
 */
export function HomeSection({
  id,
  heading,
  intro,
  className = '',
  headClass = '',
  ground,
  children,
}: {
  id: string
  heading: string
  intro?: string
  className?: string | undefined
  headClass?: string | undefined
  ground?: 'dark' | 'light'
  children: ReactNode
}) {
  const headingId = `${id}-heading`
  return (
    <section
      id={id}
      className={`${styles.section} ${className}`}
      aria-labelledby={headingId}
      data-ground={ground}
    >
      <div className={headClass}>
        <h2 id={headingId} className={styles.heading}>
          {heading}
        </h2>
        {intro && <p className={styles.intro}>{intro}</p>}
      </div>
      {children}
    </section>
  )
}
