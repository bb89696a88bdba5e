import { locale } from '../../kernel/i18n/language.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { Hidden } from '../../kernel/layout/hidden.tsx'
import { navigate } from '../../kernel/navigation/navigate.ts'
import { pathTo } from '../../kernel/routes/routes.ts'
import { restoreSession } from '../../kernel/session/keep-session.ts'
import { currentSession } from '../../kernel/session/session.ts'
import { TextButton } from '../../kernel/ui/button.tsx'
import styles from './autosaves.module.css'
import type { Status } from './autosave.reducer.ts'

/** Whether the text has reached the server. Always visible, but announced only when saving fails or succeeds again. */
export function AutosaveLine({ status }: { status: Status }) {
  const { t, language } = useMessages()
  const time = (iso: string) =>
    new Intl.DateTimeFormat(locale[language], { timeStyle: 'short' }).format(new Date(iso))
  const trouble = status.state === 'hereOnly' ? t(`newsroom.kept.${status.why}`) : undefined
  const storedAt = status.state === 'stored' || status.state === 'waiting' ? status.storedAt : null
  const signIn = () =>
    void (currentSession().state === 'signedIn'
      ? restoreSession().catch(() => null)
      : navigate(pathTo('login.signin')))
  return (
    <div className={styles.status} data-trouble={trouble ? true : undefined}>
      {storedAt && (
        <span data-autosave={status.state}>{t('newsroom.kept.at', { time: time(storedAt) })}</span>
      )}
      {trouble && <span aria-hidden="true">{trouble}</span>}
      {status.state === 'hereOnly' && status.why === 'signedOut' && (
        <TextButton onClick={signIn}>{t('newsroom.kept.signIn')}</TextButton>
      )}
      <span role="status">
        <Hidden>{trouble}</Hidden>
      </span>
    </div>
  )
}
