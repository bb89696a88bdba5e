import type { ReactNode } from 'react'
import { Still } from '../still/still.tsx'
import { frameParts } from './served/deferred-frame-parts.ts'
import styles from './login-frame.module.css'

/** The layout of login pages: one narrow column, with the seal next to it on wide screens. */
export function LoginFrame({
  heading,
  lead,
  children,
  foot,
}: {
  heading: string
  lead?: string | undefined
  children: ReactNode
  foot?: ReactNode
}) {
  return (
    <div className={styles.frame}>
      <div className={styles.column}>
        <header className={styles.header}>
          <h1>{heading}</h1>
          {lead && <p>{lead}</p>}
        </header>
        {children}
        {foot && <footer className={styles.foot}>{foot}</footer>}
      </div>
      <div className={styles.seal} data-ground="dark" aria-hidden="true">
        <div className={styles.window}>
          <Still of={frameParts} part="Rosette" given={{ figure: 'coin', className: styles.rosette }} />
        </div>
      </div>
    </div>
  )
}
