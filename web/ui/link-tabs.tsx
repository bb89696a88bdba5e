import type { ReactNode } from 'react'
import styles from './link-tabs.module.css'

export type LinkTab = { href: string; label: ReactNode; isCurrent: boolean }

/** Links to pages that stand beside one another, the current one marked. In a wide window `side` is a column. */
export function LinkTabs({
  label,
  tabs,
  kind,
  hidden,
}: {
  label: string
  tabs: readonly LinkTab[]
  kind: 'row' | 'side'
  hidden?: boolean
}) {
  return (
    <nav className={`${styles.tabs} ${styles[kind]}`} aria-label={label} hidden={hidden}>
      <ul>
        {tabs.map(({ href, label: name, isCurrent }) => (
          <li key={href}>
            <a href={href} aria-current={isCurrent ? 'page' : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
