import type { ReactNode } from 'react'
import styles from './back-link.module.css'

/** The link to the page above, always above the heading so that readers find it in one place. */
export function BackLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <p className={styles.back}>
      <a href={href}>{children}</a>
    </p>
  )
}
