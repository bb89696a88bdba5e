import { useState } from 'react'
import { useWords } from '../../i18n/words.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Message } from '../../ui/form-status.tsx'
import styles from './api-tokens.module.css'

/** The secret of a token, this once: the server has its hash alone. */
export function TokenSecret({ secret, note }: { secret: string; note?: string }) {
  const { t } = useWords()
  const [copied, setCopied] = useState<'no' | 'yes' | 'failed'>('no')
  const copy = () =>
    (navigator.clipboard?.writeText(secret) ?? Promise.reject(new Error('no clipboard'))).then(
      () => setCopied('yes'),
      () => setCopied('failed'),
    )
  return (
    <div className={styles.fields}>
      <Message kind="note">
        <p>
          <strong>{t('tokens.secret.once')}</strong>
        </p>
        <p>{t('tokens.secret.warning')}</p>
        {note && <p>{note}</p>}
      </Message>
      <TextField
        label={t('tokens.secret')}
        className={styles.secret}
        readOnly
        value={secret}
        spellCheck={false}
        autoComplete="off"
        onFocus={({ target }) => target.select()}
      />
      <div className={styles.copy}>
        <Button kind="quiet" onClick={() => void copy()}>
          {t('tokens.secret.copy')}
        </Button>
        <p role="status">
          {copied === 'yes' && t('tokens.secret.copied')}
          {copied === 'failed' && t('tokens.secret.copyFailed')}
        </p>
      </div>
      <div>
        <p className={styles.quiet}>{t('tokens.secret.use')}</p>
        <pre className={styles.use}>Authorization: Bearer …</pre>
      </div>
    </div>
  )
}
