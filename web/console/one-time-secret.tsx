import { useState, type ReactNode } from 'react'
import { useMessages } from '../kernel/i18n/messages.tsx'
import { Button } from '../kernel/ui/button.tsx'
import { copyText } from '../kernel/ui/copy-text.ts'
import { Dialog } from '../kernel/ui/dialog.tsx'
import { TextArea } from '../kernel/ui/field.tsx'
import { Message } from '../kernel/ui/form-status.tsx'
import styles from './secret-once.module.css'

type Props = {
  title: string
  /** Why it must be copied now. */
  note: ReactNode
  label: string
  secret: string
  /** The only button: the staff member confirms that the secret has been stored. */
  storedLabel: string
  onClose: () => void
  /** How the secret is used. */
  children?: ReactNode
}

/** A secret that the server never returns again. One click selects it, and another one copies it. */
export function SecretDialog({ title, note, label, secret, storedLabel, onClose, children }: Props) {
  const { t } = useMessages()
  const [isCopied, setCopied] = useState<boolean>()
  return (
    <Dialog
      isOpen
      // The dialog must not close by accident.
      onClose={() => {}}
      title={title}
      actions={<Button onClick={onClose}>{storedLabel}</Button>}
    >
      <div className={styles.parts}>
        <Message kind="note">{note}</Message>
        <TextArea
          label={label}
          className={styles.secret}
          rows={2}
          readOnly
          value={secret}
          spellCheck={false}
          autoComplete="off"
          onFocus={({ target }) => target.select()}
        />
        <div className={styles.copy}>
          <Button kind="quiet" onClick={() => void copyText(secret).then(setCopied)}>
            {t('console.secret.copy')}
          </Button>
          <p role="status">
            {isCopied === true && t('console.secret.copied')}
            {isCopied === false && t('console.secret.copyFailed')}
          </p>
        </div>
        {children}
      </div>
    </Dialog>
  )
}
