import { type MouseEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { type Language, languages } from '#contract/platform/languages.ts'
import { useBrand } from '../../content/brand.tsx'
import { htmlLanguage, languageName } from '../../i18n/language.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { onView } from '../../navigation/view.ts'
import { showNotice } from '../../notices/notices.ts'
import { getRoute, labelOf, pathTo, type RouteName } from '../../routes/routes.ts'
import { type Member, useSession } from '../../session/session.ts'
import { Still } from '../../still/still.tsx'
import { ExternalLink } from '../external-link.tsx'
import type { ColorScheme } from '../color-scheme.ts'
import { Hidden } from '../hidden.tsx'
import { frameParts } from '../served/deferred-frame-parts.ts'
import styles from './header.module.css'

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
      <Still as="span" of={frameParts} part="SearchLink" given={{}} />
      <LanguageMenu />
      <button type="button" className={styles.toggle} popoverTarget={menuId}>
        {isOpen ? t('layout.menu.close') : t('layout.menu')}
      </button>
    </header>
  )
}

/** Each language under its own name. Without JavaScript, the links load the page in that language from the server. */
function LanguageMenu() {
  const { t, language, setLanguage } = useMessages()
  const choose = (event: MouseEvent, chosen: Language) => {
    event.preventDefault()
    void setLanguage(chosen)
  }
  const label = (
    <span>
      <Hidden>{t('layout.language.menu')} </Hidden>
      {languageName[language]}
    </span>
  )
  return (
    <Dropdown label={label}>
      <ul>
        {languages.map((each) => (
          <li key={each}>
            <a
              href={`?language=${each}`}
              rel="nofollow"
              lang={htmlLanguage[each]}
              hrefLang={htmlLanguage[each]}
              data-language={each}
              aria-current={each === language ? 'true' : undefined}
              onClick={(event) => choose(event, each)}
            >
              {languageName[each]}
            </a>
          </li>
        ))}
      </ul>
    </Dropdown>
  )
}

const accountEntries: readonly RouteName[] = ['account.userInfo', 'account.accountDetails', 'kyc']

/**
 * Links to sign in and sign up, or the member's own menu. The server does not know the session and renders the links.
 */
function AccountMenu() {
  const { t } = useMessages()
  const { member } = useSession()
  if (member) return <MemberMenu member={member} />
  return (
    <div className={styles.strangers}>
      <a className={styles.signIn} href={pathTo('login.signin')}>
        {t(labelOf('login.signin'))}
      </a>
      <a className={styles.signUp} href={pathTo('login.signup')}>
        {t(labelOf('login.signup'))}
      </a>
    </div>
  )
}

function MemberMenu({ member }: { member: Member }) {
  const { t } = useMessages()
  const leaveNow = async () => {
    const { leave } = await import('./leave.ts')
    await leave()
  }
  return (
    <div className={styles.member} role="group" aria-label={t('layout.account.label')}>
      <Dropdown label={<span className={styles.name}>{member.displayName || member.email}</span>}>
        <ul>
          {accountEntries.map((to) => (
            <li key={to}>
              <a href={pathTo(to)}>{t(labelOf(to))}</a>
            </li>
          ))}
          <li className={styles.leave}>
            <button
              type="button"
              onClick={() => void leaveNow().catch(() => showNotice(t('errors.offline'), 'error'))}
            >
              {t('layout.account.signOut')}
            </button>
          </li>
        </ul>
      </Dropdown>
    </div>
  )
}

function Dropdown({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <details className={styles.dropdown} data-dropdown>
      <summary className={styles.summary}>
        {label}
        <svg className={styles.chevron} width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
          <path d="M1.5 3.5 5 7l3.5-3.5" fill="none" stroke="currentColor" strokeWidth="1.3" />
        </svg>
      </summary>
      <div className={styles.panel}>{children}</div>
    </details>
  )
}
