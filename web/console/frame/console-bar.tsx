import { useEffect, useRef, useState } from 'react'
import { completeLanguages } from '#contract/platform/languages.ts'
import { htmlLanguage, languageName } from '../../kernel/i18n/language.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { Wordmark } from '../../kernel/layout/served/wordmark.tsx'
import { onView } from '../../kernel/navigation/view.ts'
import { showNotice } from '../../kernel/notices/notices.ts'
import { labelOf, pathTo, type Route } from '../../kernel/routes/routes.ts'
import { useSession } from '../../kernel/session/session.ts'
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
