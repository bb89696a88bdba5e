import { useEffect, useRef, type ReactNode } from 'react'
import styles from './link-tabs.module.css'

type LinkTab = { href: string; label: ReactNode; isCurrent: boolean }

/** Links between sibling pages, with the current one marked. In a wide window `side` makes it a column. */
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
  const ref = useRef<HTMLElement>(null)
  const current = tabs.findIndex(({ isCurrent }) => isCurrent)
  // In a narrow window the row scrolls, so the current link is brought into view without scrolling the page.
  useEffect(() => {
    const tab = ref.current?.querySelectorAll('a')[current]
    if (ref.current && tab)
      ref.current.scrollLeft = tab.offsetLeft - (ref.current.clientWidth - tab.offsetWidth) / 2
  }, [current])
  return (
    <nav ref={ref} className={`${styles.tabs} ${styles[kind]}`} aria-label={label} hidden={hidden}>
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
