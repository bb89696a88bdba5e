import { useMessages } from '../../kernel/i18n/messages.tsx'
import { SecretDialog } from '../one-time-secret.tsx'
import styles from './api-tokens.module.css'

type Props = { title: string; secret: string; note?: string; onClose: () => void }

/** The secret of a token, shown once, because the server stores only its hash. */
export function TokenSecret({ note, ...rest }: Props) {
  const { t } = useMessages()
  return (
    <SecretDialog
      {...rest}
      note={
        <>
          <p>
            <strong>{t('tokens.secret.once')}</strong>
          </p>
          <p>{t('tokens.secret.warning')}</p>
          {note && <p>{note}</p>}
        </>
      }
      label={t('tokens.secret')}
      storedLabel={t('tokens.secret.done')}
    >
      <div>
        <p className={styles.quiet}>{t('tokens.secret.use')}</p>
        <pre className={styles.use}>Authorization: Bearer …</pre>
      </div>
    </SecretDialog>
  )
}
