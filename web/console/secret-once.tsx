import { useState } from 'react'
import { useWords } from '../i18n/words.tsx'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import styles from './secret-once.module.css'

/** A secret that the server never answers again: it is selected by a click, and copied by another. */
export function SecretOnce({ secret, label }: { secret: string; label: string }) {
  const { t } = useWords()
  const [copied, setCopied] = useState<'yes' | 'failed'>()
  const copy = () =>
    (navigator.clipboard?.writeText(secret) ?? Promise.reject(new Error('no clipboard'))).then(
      () => setCopied('yes'),
      () => setCopied('failed'),
    )
  return (
    <>
      <TextField
        label={label}
        className={styles.secret}
        readOnly
        value={secret}
        spellCheck={false}
        autoComplete="off"
        onFocus={({ target }) => target.select()}
      />
      <div className={styles.copy}>
        <Button kind="quiet" onClick={() => void copy()}>
          {t('console.secret.copy')}
        </Button>
        <p role="status">
          {copied === 'yes' && t('console.secret.copied')}
          {copied === 'failed' && t('console.secret.copyFailed')}
        </p>
      </div>
    </>
  )
}
