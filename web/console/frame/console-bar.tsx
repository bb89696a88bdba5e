import { useEffect, useId, useRef, useState } from 'react'
import { completeLanguages } from '#contract/platform/languages.ts'
import { htmlLanguage, languageName } from '../../kernel/i18n/language.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { Wordmark } from '../../kernel/layout/served/wordmark.tsx'
import { onView } from '../../kernel/navigation/view.ts'
import { showNotice } from '../../kernel/notices/notices.ts'
import { getRoute, labelOf, pathTo, type Route, type RouteName } from '../../kernel/routes/routes.ts'
import { useSession } from '../../kernel/session/session.ts'
import { mayOpen } from '../can-access.ts'
import { CommandPalette } from '../palette/command-palette.tsx'
import { screenGroups } from '../screen-groups.ts'
import styles from './console-bar.module.css'

/** Links to the pages that the levels allow. Empty on the server and until the session is known. */
function ConsoleNavigation({ route }: { route: Route }) {
  const { t } = useMessages()
  const { member } = useSession()
  const id = useId()
  return (
    <nav className={styles.navigation} aria-label={t('console.nav.label')}>
      {screenGroups.map(({ heading, entries }) => {
        const visible = entries.filter((name) => mayOpen(member, getRoute(name)))
        if (visible.length === 0) return null
        return (
          <div key={entries[0]} className={styles.group}>
            {heading && <h2 id={`${id}-${heading}`}>{t(heading)}</h2>}
            <ul aria-labelledby={heading ? `${id}-${heading}` : undefined}>
              {visible.map((name) => (
                <li key={name}>
                  <a href={pathTo(name)} aria-current={currentOf(name, route)}>
                    {t(labelOf(name))}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        )
      })}
    </nav>
  )
}

const currentOf = (name: RouteName, { name: visible, within }: Route) =>
  name === visible ? 'page' : name === within ? 'true' : undefined

const menuId = 'console-menu'

/** Navigation, global search, and the signed-in member. Beside the page, or above it in a narrow window. */
export function ConsoleBar({ route }: { route: Route }) {
  const { t } = useMessages()
  const { member } = useSession()
  const menu = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  useEffect(
    () =>
      onView(() => {
        if (menu.current?.matches(':popover-open')) menu.current.hidePopover()
      }),
    [],
  )
  return (
    <header className={styles.bar}>
      <a className={styles.home} href={pathTo('console.home')}>
        <Wordmark />
        <span className={styles.console}>{t('console.name')}</span>
      </a>
      <div>
        <CommandPalette />
      </div>
      <button type="button" className={styles.toggle} popoverTarget={menuId}>
        {isOpen ? t('layout.menu.close') : t('layout.menu')}
      </button>
      <div
        ref={menu}
        id={menuId}
        className={styles.menu}
        popover="auto"
        onToggle={({ newState }) => setOpen(newState === 'open')}
      >
        <ConsoleNavigation route={route} />
        <div className={styles.account}>
          {member && <p className={styles.name}>{member.displayName || member.email}</p>}
          <ul>
            <li>
              <a href={pathTo('home')}>{t('console.toSite')}</a>
            </li>
            <OtherLanguages />
            {member && (
              <>
                <li>
                  <a href={pathTo('account.userInfo')}>{t(labelOf('account.userInfo'))}</a>
                </li>
                <li>
                  <SignOut />
                </li>
              </>
            )}
          </ul>
        </div>
      </div>
    </header>
  )
}

function SignOut() {
  const { t } = useMessages()
  const leaveNow = async () => {
    const { leave } = await import('../../kernel/layout/header/leave.ts')
    await leave()
  }
  return (
    <button
      type="button"
      onClick={() => void leaveNow().catch(() => showNotice(t('errors.offline'), 'error'))}
    >
      {t('layout.account.signOut')}
    </button>
  )
}

function OtherLanguages() {
  const { language, setLanguage } = useMessages()
  return completeLanguages
    .filter((each) => each !== language)
    .map((each) => (
      <li key={each}>
        <button type="button" lang={htmlLanguage[each]} onClick={() => void setLanguage(each)}>
          {languageName[each]}
        </button>
      </li>
    ))
}
