import { Fragment, type ReactNode } from 'react'
import styles from './keep-references.module.css'

/**
 * Keeps references of orders and withdrawals (COIN-12345-6789A) in one piece in a heading, although they contain
 * hyphens. Email addresses break after the at sign if necessary.
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

const breakAddresses = (text: string): ReactNode =>
  text.split(/(?<=\S@)(?=\S)/).map((part, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- the parts have no other identity
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ))
