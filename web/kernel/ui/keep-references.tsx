import type { ReactNode } from 'react'
import { Address } from './address.tsx'
import styles from './keep-references.module.css'

/**
 * Keeps references of orders and withdrawals (COIN-12345-6789A) in one piece in a heading, although they contain
 * hyphens. Email addresses break only if they are long.
 */
export function keepReferences(heading: ReactNode): ReactNode {
  if (typeof heading !== 'string') return heading
  return heading.split(/([A-Z]+(?:-[0-9A-F]{5}){2})/).map((part, index) =>
    index % 2 === 1 ? (
      <span key={part} className={styles.reference}>
        {part}
      </span>
    ) : (
      breakAddresses(part)
    ),
  )
}

/** About the width of a phone in the size of a heading. */
const phoneWidth = 20

const breakAddresses = (text: string): ReactNode =>
  text
    .split(/([\w.+-]+@[\w.-]+\w)/)
    .map((part, index) =>
      index % 2 === 1 && part.length > phoneWidth ? <Address key={part} email={part} /> : part,
    )
