import { locale } from '../../i18n/language.ts'
import { useWords } from '../../i18n/words.tsx'
import { Hidden } from '../../layout/hidden.tsx'
import { open } from '../../navigation/on-demand.ts'
import { pathTo } from '../../routes/routes.ts'
import { currentSession, restoreSession } from '../../session/session.ts'
import { TextButton } from '../../ui/button.tsx'
import type { PlainKey } from '../../i18n/message-key.ts'
import styles from './post-form.module.css'
import type { Keeping, NotKept } from './text-keeper.ts'

const troubles: Readonly<Record<NotKept, PlainKey>> = {
  unreached: 'newsroom.kept.unreached',
  signedOut: 'newsroom.kept.signedOut',
  refused: 'newsroom.kept.refused',
}

/** Where what is typed is kept. Seen at any time; read out only when it changes between well and not well. */
export function KeptLine({ keeping }: { keeping: Keeping }) {
  const { t, language } = useWords()
  const time = (iso: string) =>
    new Intl.DateTimeFormat(locale[language], { timeStyle: 'short' }).format(new Date(iso))
  const trouble = keeping.state === 'hereOnly' ? t(troubles[keeping.why]) : undefined
  const keptAt = keeping.state === 'kept' || keeping.state === 'waiting' ? keeping.keptAt : null
  const signIn = () =>
    void (currentSession().state === 'signedIn'
      ? restoreSession().catch(() => null)
      : open(pathTo('login.signin')))
  return (
    <div className={styles.kept} data-trouble={trouble ? true : undefined}>
      {keptAt && <span data-kept={keeping.state}>{t('newsroom.kept.at', { time: time(keptAt) })}</span>}
      {trouble && <span aria-hidden="true">{trouble}</span>}
      {keeping.state === 'hereOnly' && keeping.why === 'signedOut' && (
        <TextButton onClick={signIn}>{t('newsroom.kept.signIn')}</TextButton>
      )}
      <span role="status">
        <Hidden>{trouble}</Hidden>
      </span>
    </div>
  )
}
