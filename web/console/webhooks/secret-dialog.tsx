import { useWords } from '../../i18n/words.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Message } from '../../ui/form-status.tsx'
import { SecretOnce } from '../secret-once.tsx'
import styles from './webhooks.module.css'

/** The secret, this once: the server never answers it again. */
export function SecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  const { t } = useWords()
  return (
    <Dialog
      isOpen
      // A slip of the hand must not lose what is shown once.
      onClose={() => {}}
      title={t('webhooks.secretTitle')}
      actions={<Button onClick={onClose}>{t('webhooks.secretKept')}</Button>}
    >
      <div className={styles.fields}>
        <Message kind="note">
          <p>{t('webhooks.secretOnce')}</p>
        </Message>
        <SecretOnce secret={secret} label={t('webhooks.secret')} />
      </div>
    </Dialog>
  )
}
