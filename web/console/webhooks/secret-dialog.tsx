import { useState } from 'react'
import { useWords } from '../../i18n/words.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Message } from '../../ui/form-status.tsx'
import styles from './webhooks.module.css'

/** The secret, this once: the server never answers it again. */
export function SecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  const { t } = useWords()
  const [copied, setCopied] = useState<'yes' | 'failed'>()
  const copy = () =>
    (navigator.clipboard?.writeText(secret) ?? Promise.reject(new Error('no clipboard'))).then(
      () => setCopied('yes'),
      () => setCopied('failed'),
    )
  return (
    <Dialog
      isOpen
      // A slip of the hand must not lose what is shown once.
      onClose={() => {}}
      title={t('webhooks.secretTitle')}
      actions={
        <>
          <Button kind="quiet" onClick={() => void copy()}>
            {t('webhooks.copy')}
          </Button>
          <Button onClick={onClose}>{t('webhooks.secretKept')}</Button>
        </>
      }
    >
      <div className={styles.fields}>
        <Message kind="note">
          <p>{t('webhooks.secretOnce')}</p>
        </Message>
        <TextField
          label={t('webhooks.secret')}
          className={styles.secret}
          readOnly
          value={secret}
          spellCheck={false}
          autoComplete="off"
          onFocus={({ target }) => target.select()}
        />
        <p role="status">
          {copied === 'yes' && t('webhooks.copied')}
          {copied === 'failed' && t('webhooks.copyFailed')}
        </p>
      </div>
    </Dialog>
  )
}
