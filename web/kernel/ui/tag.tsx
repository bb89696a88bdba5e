import type { ReactNode } from 'react'
import styles from './tag.module.css'

export type TagColor = 'red' | 'green' | 'yellow' | 'verdigris' | 'quiet'

/** A category or a status. The text always says the same as the color. */
export function Tag({ colour, children }: { colour: TagColor; children: ReactNode }) {
  return <span className={`${styles.tag} ${styles[colour]}`}>{children}</span>
}
