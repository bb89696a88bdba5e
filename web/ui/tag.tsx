import type { ReactNode } from 'react'
import styles from './tag.module.css'

export type TagColour = 'red' | 'green' | 'yellow' | 'verdigris' | 'quiet'

/** A category or a state. Color is never the only sign: the text says the same. */
export function Tag({ colour, children }: { colour: TagColour; children: ReactNode }) {
  return <span className={`${styles.tag} ${styles[colour]}`}>{children}</span>
}
