import type { ReactNode } from 'react'
import styles from './facts.module.css'

export type Fact = { name: string; label: ReactNode; value: ReactNode }

/** Labels and values, in two columns if there is room. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(({ name, label, value }) => (
        <div key={name}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
