import type { ReactNode } from 'react'
import { guilloche } from '../brand/guilloche.ts'
import styles from './login-frame.module.css'

const bands = [
  guilloche({ inner: 62, outer: 98, lobes: 71, turns: 5, precision: 3, lean: 6 }),
  guilloche({ inner: 34, outer: 70, lobes: 53, turns: 7, precision: 3 }),
  guilloche({ inner: 10, outer: 40, lobes: 36, turns: 5, precision: 3, lean: 8 }),
]

/** The pages of the login area: one narrow column, and on wide screens the seal beside it. */
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
    <div className={styles.frame} data-ground="auto">
      <div className={styles.column}>
        <header className={styles.header}>
          <h1>{heading}</h1>
          {lead && <p>{lead}</p>}
        </header>
        {children}
        {foot && <footer className={styles.foot}>{foot}</footer>}
      </div>
      <div className={styles.seal} data-ground="dark" aria-hidden="true">
        <svg viewBox="-100 -100 200 200">
          {bands.map((band) => (
            <path key={band.length} d={band} />
          ))}
        </svg>
      </div>
    </div>
  )
}
