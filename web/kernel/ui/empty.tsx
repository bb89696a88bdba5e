import type { ReactNode } from 'react'
import styles from './empty.module.css'

const petals = [0, 15, 30, 45, 60, 75, 90, 105, 120, 135, 150, 165]

/** An empty or failed state: a quiet rosette, a sentence, and optionally one action. */
export function Empty({
  title,
  children,
  role,
}: {
  title: ReactNode
  children?: ReactNode
  role?: 'status' | 'alert'
}) {
  return (
    <div className={styles.empty} role={role}>
      <svg className={styles.rosette} viewBox="-50 -50 100 100" width="72" height="72" aria-hidden="true">
        {petals.map((angle) => (
          <ellipse key={angle} rx="48" ry="16" transform={`rotate(${angle})`} />
        ))}
      </svg>
      <p className={styles.title}>{title}</p>
      {children}
    </div>
  )
}
