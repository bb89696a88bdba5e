import { useState } from 'react'
import * as z from 'zod/mini'
import { mailedCode } from '#contract/platform/fields.ts'
import { confirmEmail, updateMember, type User } from '#contract/people/members.ts'
import { call } from '../../kernel/call/call.ts'
import { useAction } from '../../kernel/actions/use-action.ts'
import { FormFrame } from '../../kernel/forms/form-frame.tsx'
import { FormCode } from '../../kernel/forms/form-code.tsx'
import { useContractForm } from '../../kernel/forms/use-contract-form.ts'
import { formatWait } from '../../kernel/i18n/format-wait.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { useCountdown } from '../use-countdown.ts'
import { TextButton } from '../../kernel/ui/button.tsx'
import { FormStatus } from '../../kernel/ui/form-status.tsx'
import styles from './pending-email.module.css'

const confirmation = z.object({ code: mailedCode })
const resendAfterSeconds = 60

/** A new email address that awaits the code emailed to it: confirm it, resend the code, or cancel. */
export function PendingEmail({
  user,
  email,
  onConfirmed,
  onWithdrawn,
}: {
  user: User
  email: string
  onConfirmed: (user: User) => void
  onWithdrawn: (user: User) => void
}) {
  const { t, language } = useMessages()
  const codeForm = useContractForm({
    schema: confirmation,
    labels: { code: 'account.pendingEmail.code' },
    submit: async (body) => onConfirmed(await call(confirmEmail, { body })),
  })
  const { isBusy, error, run } = useAction()
  const [isResent, setIsResent] = useState(false)
  const countdown = useCountdown()

  /** Requesting a change to the pending address resends its code; requesting the current address cancels the change. */
  const ask = (address: string, then: (user: User) => void) => {
    setIsResent(false)
    return run(async () => then(await call(updateMember, { body: { _id: user.id, email: address } })))
  }
  const resend = () =>
    ask(email, () => {
      setIsResent(true)
      countdown.start(resendAfterSeconds)
    })
  return (
    <>
      <p>
        <strong>{t('account.pendingEmail.heading')}</strong>
      </p>
      <p>{t('account.pendingEmail.text', { email })}</p>
      <FormFrame
        of={codeForm}
        submitLabel={t('account.pendingEmail.submit')}
        busyLabel={t('account.pendingEmail.busy')}
      >
        <FormCode of={codeForm} name="code" />
      </FormFrame>
      <div className={styles.others}>
        <TextButton disabled={isBusy || countdown.seconds > 0} onClick={() => void resend()}>
          {countdown.seconds > 0
            ? t('account.pendingEmail.resendWait', { time: formatWait(countdown.seconds, language) })
            : t('account.pendingEmail.resend')}
        </TextButton>
        <TextButton disabled={isBusy} onClick={() => void ask(user.email, onWithdrawn)}>
          {t('account.pendingEmail.withdraw')}
        </TextButton>
      </div>
      <p role="status">{isResent && t('account.pendingEmail.resent')}</p>
      <FormStatus error={error} />
    </>
  )
}
