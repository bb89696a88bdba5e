import { type ReactNode } from 'react'
import { useAction } from '../../kernel/actions/use-action.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { useInBrowser } from '../../kernel/state/use-in-browser.ts'
import { Button } from '../../kernel/ui/button.tsx'
import { FormStatus } from '../../kernel/ui/form-status.tsx'
import styles from './passkey-button.module.css'

/** A button for an action that needs a passkey. A failure is shown below it. */
export function PasskeyButton({
  children,
  kind = 'primary',
  isWide = false,
  run,
}: {
  children: ReactNode
  kind?: 'primary' | 'quiet'
  isWide?: boolean
  run: () => Promise<void>
}) {
  const { t } = useMessages()
  // Disabled in the server's HTML, because a click before hydration would be lost.
  const isAlive = useInBrowser(() => true, false)
  const action = useAction()
  return (
    <div className={isWide ? `${styles.passkey} ${styles.wide}` : styles.passkey}>
      <Button
        kind={kind}
        disabled={!isAlive}
        busy={action.isBusy}
        busyLabel={t('passkey.busy')}
        onClick={() => void action.run(run)}
      >
        <PasskeySign />
        {children}
      </Button>
      <FormStatus error={action.error} />
    </div>
  )
}

/** The passkey icon, a key whose bow is a person, inline with the text. */
function PasskeySign() {
  return (
    <svg className={styles.sign} viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
      <circle cx="9" cy="7.5" r="3.6" />
      <path d="M2.5 20c0-4 2.9-6.4 6.5-6.4 1.3 0 2.5.3 3.5.9" />
      <circle cx="17.4" cy="12.4" r="2.9" />
      <path d="M17.4 15.3V21l2-1.6M17.4 18l1.8-1.3" />
    </svg>
  )
}

/** “or” between two alternatives. */
export function OrLine() {
  const { t } = useMessages()
  return <p className={styles.or}>{t('passkey.or')}</p>
}
