import { useWords } from '../../i18n/words.tsx'
import { Message } from '../../ui/form-status.tsx'
import { SecretOnce } from '../secret-once.tsx'
import styles from './api-tokens.module.css'

/** The secret of a token, this once: the server has its hash alone. */
export function TokenSecret({ secret, note }: { secret: string; note?: string }) {
  const { t } = useWords()
  return (
    <div className={styles.fields}>
      <Message kind="note">
        <p>
          <strong>{t('tokens.secret.once')}</strong>
        </p>
        <p>{t('tokens.secret.warning')}</p>
        {note && <p>{note}</p>}
      </Message>
      <SecretOnce secret={secret} label={t('tokens.secret')} />
      <div>
        <p className={styles.quiet}>{t('tokens.secret.use')}</p>
        <pre className={styles.use}>Authorization: Bearer …</pre>
      </div>
    </div>
  )
}
