import { useEffect, useRef, useState } from 'react'
import { useBrand } from '../../content/brand.tsx'
import { useMessages } from '../../i18n/messages.tsx'
import { onView } from '../../navigation/view.ts'
import { getRoute, labelOf, pathTo, type RouteName } from '../../routes/routes.ts'
import { AccountMenu } from './account-menu.tsx'
import { Still } from '../../still/still.tsx'
import { ExternalLink } from '../external-link.tsx'
import type { ColorScheme } from '../color-scheme.ts'
import { frameParts } from '../served/deferred-frame-parts.ts'
import styles from './header.module.css'
import { LanguageMenu } from './language-menu.tsx'

const entries: readonly RouteName[] = ['home', 'project', 'news', 'help', 'ambassadorProgram']

const menuId = 'menu'

export function Header({ route, ground }: { route: RouteName; ground: ColorScheme }) {
  const { t } = useMessages()
  const { links } = useBrand()
  const { within } = getRoute(route)
  const menu = useRef<HTMLElement>(null)
  const [isOpen, setOpen] = useState(false)

  useEffect(() => {
    const isShown = () => menu.current?.matches(':popover-open') === true
    // The menu may have been opened before this script loaded.
    setOpen(isShown())
    return onView(() => {
      if (isShown()) menu.current?.hidePopover()
    })
  }, [])

  return (
    <header className={styles.header} data-ground={ground}>
      <a className={styles.home} href={pathTo('home')} aria-label={t('layout.home')}>
        <Still as="span" of={frameParts} part="Wordmark" given={{}} />
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
          {entries.map((to) => (
            <li key={to}>
              <a href={pathTo(to)} aria-current={to === route ? 'page' : to === within ? 'true' : undefined}>
                {t(labelOf(to))}
              </a>
            </li>
          ))}
          {links.blog && (
            <li>
              <ExternalLink href={links.blog}>{t('layout.nav.blog')}</ExternalLink>
            </li>
          )}
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
