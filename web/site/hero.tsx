import type { ReactNode } from 'react'
import { Rosette } from '../brand/rosette.tsx'
import styles from './hero.module.css'

/** The dark opening of a public page: one line, one sentence, and the rosette running off the right edge. */
export function Hero({ title, lead, children }: { title: string; lead?: string; children?: ReactNode }) {
  return (
    <section className={styles.hero} data-ground="dark">
      <Rosette className={styles.rosette} figure="dial" />
      <div className={styles.words}>
        <h1>{title}</h1>
        {lead && <p>{lead}</p>}
        {children}
      </div>
    </section>
  )
}
