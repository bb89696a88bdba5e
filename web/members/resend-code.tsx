import { useState } from 'react'
import { SECOND } from '#contract/durations.ts'
import { email as emailField } from '#contract/fields.ts'
import { resendActivation } from '#contract/members.ts'
import { call } from '../call/call.ts'
import { failureWords } from '../actions/failure-words.ts'
import { useWords } from '../i18n/words.tsx'
import { Button } from '../ui/button.tsx'
import { FormStatus } from '../ui/form-status.tsx'
import { useCountdown } from './use-countdown.ts'
import styles from './resend-code.module.css'

const coolDown = 60 * SECOND

/** Asks for another activation mail, at most once a minute. */
export function ResendCode({ email }: { email: string }) {
  const { t } = useWords()
  const [state, setState] = useState<'idle' | 'sending' | 'sent'>('idle')
  const [failure, setFailure] = useState<unknown>()
  const { seconds: secondsLeft, start } = useCountdown()
  const address = emailField.safeParse(email)

  async function resend() {
    if (!address.success) return
    setFailure(undefined)
    setState('sending')
    try {
      await call(resendActivation, { body: { email: address.data } })
      setState('sent')
      start(coolDown / SECOND)
    } catch (cause) {
      setState('idle')
      setFailure(cause)
    }
  }

  return (
    <div className={styles.resend}>
      <p>{t('login.activate.noMail')}</p>
      <Button
        kind="quiet"
        busy={state === 'sending'}
        busyLabel={t('forms.sending')}
        disabled={!address.success || secondsLeft > 0}
        onClick={() => void resend()}
      >
        {secondsLeft > 0
          ? t('login.activate.resendWait', { seconds: secondsLeft })
          : t('login.activate.resend')}
      </Button>
      <p role="status">
        {state === 'sent' && t('login.activate.resent')}
        {state === 'idle' && !address.success && t('login.activate.resendNeedsEmail')}
      </p>
      <FormStatus error={failure === undefined ? undefined : failureWords(t, failure)} />
    </div>
  )
}
