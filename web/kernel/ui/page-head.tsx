import { createContext, useContext, type ReactNode } from 'react'
import { keepReferences } from './keep-references.tsx'
import styles from './page-head.module.css'

/** Content that the layout adds to a page below its heading, which is rendered first and does not move. */
export const BelowHead = createContext<ReactNode>(null)

/** The head of a member page: heading, one line of explanation, and at most one action. */
export function PageHead({
  heading,
  lead,
  action,
}: {
  heading: ReactNode
  lead?: ReactNode
  action?: ReactNode
}) {
  const below = useContext(BelowHead)
  return (
    <>
      <header className={styles.head} data-head>
        <div>
          <h1>{keepReferences(heading)}</h1>
          {lead && <p>{lead}</p>}
        </div>
        {action}
      </header>
      {below}
    </>
  )
}

/** A section of a member page, with its own heading and a hairline. */
export function PagePart({
  heading,
  lead,
  id,
  children,
}: {
  heading: ReactNode
  lead?: ReactNode
  id?: string
  children: ReactNode
}) {
  return (
    <section className={styles.part} aria-labelledby={id}>
      <h2 id={id}>{heading}</h2>
      {lead && <p className={styles.lead}>{lead}</p>}
      {children}
    </section>
  )
}
