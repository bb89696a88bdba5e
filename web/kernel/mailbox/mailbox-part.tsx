import { useState } from 'react'
import * as z from 'zod/mini'
import { mailedCode } from '#contract/platform/fields.ts'
import { requestVerificationCode, verifyEmail } from '#contract/people/members.ts'
import { call } from '../call/call.ts'
import { useAction } from '../actions/use-action.ts'
import { FormFrame } from '../forms/form-frame.tsx'
import { FormCode } from '../forms/form-code.tsx'
import { useContractForm } from '../forms/use-contract-form.ts'
import { useMessages } from '../i18n/messages.tsx'
import { showNotice } from '../notices/notices.ts'
import { Button, TextButton } from '../ui/button.tsx'
import { FormStatus } from '../ui/form-status.tsx'
import styles from './mailbox-part.module.css'

const codeGiven = z.object({ code: mailedCode })

/** Emails a code and verifies it, which proves that the member can read the mailbox. */
export function MailboxPart({
  email,
  hasFactor,
  onVerified,
}: {
  email: string
  /** If the account has a factor, a code was emailed when the first one was added. */
  hasFactor: boolean
  onVerified: () => void
}) {
  const { t } = useMessages()
  const [sentCount, setSentCount] = useState(0)
  const { isBusy, error, run } = useAction()
  const codeForm = useContractForm({
    schema: codeGiven,
    labels: { code: 'security.mailbox.code' },
    submit: async (body) => {
      await call(verifyEmail, { body })
      showNotice(t('security.mailbox.done'), 'success')
      onVerified()
    },
  })
  const ask = () =>
    run(async () => {
      await call(requestVerificationCode, { body: {} })
      setSentCount((before) => before + 1)
    })

  const sent = sentCount === 1 ? 'security.mailbox.sent' : 'security.mailbox.resent'
  const words = sentCount > 0 ? sent : hasFactor && 'security.mailbox.mailed'

  return (
    <div className={styles.narrow}>
      {sentCount === 0 && !hasFactor ? (
        <div>
          <Button busy={isBusy} busyLabel={t('forms.sending')} onClick={() => void ask()}>
            {t('security.mailbox.ask')}
          </Button>
        </div>
      ) : (
        <FormFrame
          of={codeForm}
          startAt={sentCount > 0 ? 'code' : undefined}
          submitLabel={t('security.mailbox.submit')}
          busyLabel={t('security.mailbox.busy')}
          beside={
            <TextButton disabled={isBusy} onClick={() => void ask()}>
              {t('security.mailbox.again')}
            </TextButton>
          }
        >
          <FormCode of={codeForm} name="code" />
        </FormFrame>
      )}
      <p role="status">{words && t(words, { email })}</p>
      <FormStatus error={error} />
    </div>
  )
}
