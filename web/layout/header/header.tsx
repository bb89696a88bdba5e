import { useEffect, useRef, useState } from 'react'
import { links } from '#content/brand.json'
import type { PlainKey } from '../../i18n/message-key.ts'
import { useWords } from '../../i18n/words.tsx'
import { onView } from '../../navigation/view.ts'
import type { RouteName } from '../../routes/route.ts'
import { pathTo } from '../../routes/routes.ts'
import { AccountMenu } from './account-menu.tsx'
import { ExternalLink } from '../external-link.tsx'
import type { Ground } from '../ground.ts'
import styles from './header.module.css'
import { LanguageMenu } from './language-menu.tsx'
import { Wordmark } from './wordmark.tsx'

const entries: readonly { to: RouteName; label: PlainKey }[] = [
  { to: 'home', label: 'layout.nav.home' },
  { to: 'project', label: 'layout.nav.project' },
  { to: 'news', label: 'layout.nav.news' },
  { to: 'help', label: 'layout.nav.help' },
  { to: 'ambassadorProgram', label: 'layout.nav.ambassadors' },
]

/** Pages that belong to an entry without being it. */
const within: Partial<Record<RouteName, RouteName>> = { newsPost: 'news', newsPreview: 'news' }

const menuId = 'menu'

export function Header({ route, ground }: { route: RouteName; ground: Ground }) {
  const { t } = useWords()
  const menu = useRef<HTMLElement>(null)
  const [isOpen, setOpen] = useState(false)

  useEffect(
    () =>
      onView(() => {
        if (menu.current?.matches(':popover-open')) menu.current.hidePopover()
      }),
    [],
  )

  return (
    <header className={styles.header} data-ground={ground}>
      <a className={styles.home} href={pathTo('home')} aria-label={t('layout.home')}>
        <Wordmark />
      </a>
      <nav
        ref={menu}
        id={menuId}
        className={styles.menu}
        popover="auto"
        aria-label={t('layout.nav.label')}
        onToggle={({ newState }) => setOpen(newState === 'open')}
      >
        <ul className={styles.entries}>
          {entries.map(({ to, label }) => (
            <li key={to}>
              <a
                href={pathTo(to)}
                aria-current={to === route ? 'page' : to === within[route] ? 'true' : undefined}
              >
                {t(label)}
              </a>
            </li>
          ))}
          <li>
            <ExternalLink href={links.blog}>{t('layout.nav.blog')}</ExternalLink>
          </li>
        </ul>
        <AccountMenu />
      </nav>
      <LanguageMenu />
      <button type="button" className={styles.toggle} popoverTarget={menuId}>
        {isOpen ? t('layout.menu.close') : t('layout.menu')}
      </button>
    </header>
  )
}
