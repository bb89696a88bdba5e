import { useState, type ReactNode } from 'react'
import { failureWords } from '../actions/failure-words.ts'
import { useWords } from '../i18n/words.tsx'
import { useInBrowser } from '../state/use-in-browser.ts'
import { Button } from '../ui/button.tsx'
import { FormStatus } from '../ui/form-status.tsx'
import styles from './passkey-button.module.css'

/** Does something that needs the owner's finger, face or PIN, and says under itself why it did not come to it. */
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
  const { t } = useWords()
  // As the server sends it nobody listens yet: a click would be lost.
  const isAlive = useInBrowser(() => true, false)
  const [isBusy, setIsBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  async function use() {
    setIsBusy(true)
    setFailure(undefined)
    try {
      await run()
    } catch (cause) {
      setFailure(cause)
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <div className={isWide ? `${styles.passkey} ${styles.wide}` : styles.passkey}>
      <Button
        kind={kind}
        disabled={!isAlive}
        busy={isBusy}
        busyLabel={t('passkey.busy')}
        onClick={() => void use()}
      >
        <PasskeySign />
        {children}
      </Button>
      <FormStatus error={failure === undefined ? undefined : failureWords(t, failure)} />
    </div>
  )
}

/** A key whose bow is a person, in the line of the text beside it. */
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
