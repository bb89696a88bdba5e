import { useEffect, useRef, useState } from 'react'
import { completeLanguages } from '#contract/platform/languages.ts'
import { htmlLanguage, languageName } from '../../kernel/i18n/language.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { Wordmark } from '../../kernel/layout/served/wordmark.tsx'
import { onView } from '../../kernel/navigation/view.ts'
import { showNotice } from '../../kernel/notices/notices.ts'
import { labelOf, pathTo, type Route } from '../../kernel/routes/routes.ts'
import { useSession } from '../../kernel/session/session.ts'
import { useLatestWaiting } from '../home/waiting.ts'
import { CommandPalette } from '../palette/command-palette.tsx'
import styles from './console-bar.module.css'
import { ConsoleNavigation } from './console-navigation.tsx'

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
      <div className={styles.tools}>
        <CommandPalette />
        {member && <Bell isCurrent={route.name === 'console.notifications'} />}
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

/** Leads to the notifications, and says how many kinds of work have something new. */
function Bell({ isCurrent }: { isCurrent: boolean }) {
  const { t } = useMessages()
  const count = (useLatestWaiting() ?? []).filter(({ isNew, isMuted }) => isNew && !isMuted).length
  return (
    <a
      className={styles.bell}
      href={pathTo('console.notifications')}
      aria-current={isCurrent ? 'page' : undefined}
      aria-label={count > 0 ? t('console.bell.new', { count }) : t('console.nav.notifications')}
    >
      <svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true">
        <path
          d="M4 12.5V8a5 5 0 0 1 10 0v4.5l1.5 1.5h-13zM7.5 16h3"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.4"
        />
      </svg>
      {count > 0 && (
        <span className={styles.new} aria-hidden="true">
          {count}
        </span>
      )}
    </a>
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
