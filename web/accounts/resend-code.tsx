import { SECOND } from '#contract/durations.ts'
import { email as emailField } from '#contract/fields.ts'
import { resendActivation } from '#contract/members.ts'
import { call } from '../call/call.ts'
import { useAction } from '../actions/use-action.ts'
import { formatWait } from '../i18n/format-wait.ts'
import { useMessages } from '../i18n/messages.tsx'
import { useStore } from '../state/create-store.ts'
import { currentWork } from '../work/current-work.ts'
import { Button } from '../ui/button.tsx'
import { FormStatus } from '../ui/form-status.tsx'
import { useCountdown } from './use-countdown.ts'
import styles from './resend-code.module.css'

const coolDown = 60 * SECOND

/** Requests another activation email, at most once a minute. */
export function ResendCode({ email }: { email: string }) {
  const { t, language } = useMessages()
  const { isBusy, isDone, error, run } = useAction()
  const { seconds: secondsLeft, start } = useCountdown()
  const work = useStore(currentWork)
  const address = emailField.safeParse(email)

  async function resend() {
    if (!address.success) return
    const body = { email: address.data }
    if (await run(() => call(resendActivation, { body }))) start(coolDown / SECOND)
  }

  return (
    <div className={styles.resend}>
      <p>{t('login.activate.noMail')}</p>
      <Button
        kind="quiet"
        busy={isBusy}
        busyLabel={t('forms.sending')}
        disabled={!address.success || secondsLeft > 0}
        onClick={() => void resend()}
      >
        {secondsLeft > 0
          ? t('login.activate.resendWait', { time: formatWait(secondsLeft, language) })
          : t('login.activate.resend')}
      </Button>
      {isBusy && work}
      <p role="status">
        {isDone && t('login.activate.resent')}
        {!isBusy && !isDone && !address.success && t('login.activate.resendNeedsEmail')}
      </p>
      <FormStatus error={error} />
    </div>
  )
}
