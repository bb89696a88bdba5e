import { useEffect, useRef, useState } from 'react'
import * as z from 'zod/mini'
import { email } from '#contract/platform/fields.ts'
import { requestPasswordReset } from '#contract/people/members.ts'
import { call } from '../kernel/call/call.ts'
import { passedEmail } from '../kernel/forms/passed-email.ts'
import { FormFrame } from '../kernel/forms/form-frame.tsx'
import { FormInput } from '../kernel/forms/form-input.tsx'
import { useContractForm } from '../kernel/forms/use-contract-form.ts'
import { useMessages } from '../kernel/i18n/messages.tsx'
import { LoginFrame } from '../kernel/layout/login-frame.tsx'
import { page } from '../kernel/routes/page.ts'
import { pathTo } from '../kernel/routes/routes.ts'
import { TextButton } from '../kernel/ui/button.tsx'
import { Message } from '../kernel/ui/form-status.tsx'

const request = z.object({ email })

function ResetView() {
  const { t } = useMessages()
  const [sentTo, setSentTo] = useState<string>()
  const back = <a href={pathTo('login.signin')}>{t('login.reset.back')}</a>
  return (
    <LoginFrame
      heading={t('login.reset.heading')}
      lead={sentTo === undefined ? t('login.reset.lead') : undefined}
      foot={back}
    >
      {sentTo === undefined ? (
        <ResetForm onSent={setSentTo} />
      ) : (
        <Sent email={sentTo} onAgain={() => setSentTo(undefined)} />
      )}
    </LoginFrame>
  )
}

function ResetForm({ onSent }: { onSent: (email: string) => void }) {
  const { t } = useMessages()
  const resetForm = useContractForm({
    schema: request,
    labels: { email: 'forms.email.label' },
    submit: async (body) => {
      await call(requestPasswordReset, { body })
      onSent(body.email)
    },
  })
  const { getValues, setValue } = resetForm.form
  useEffect(() => {
    const carried = passedEmail()
    if (carried && !getValues('email')) setValue('email', carried)
  }, [getValues, setValue])
  return (
    <FormFrame
      of={resetForm}
      submitLabel={t('login.reset.submit')}
      busyLabel={t('login.reset.busy')}
      isButtonWide
    >
      <FormInput of={resetForm} name="email" autoComplete="username" />
    </FormFrame>
  )
}

/** The same for known and unknown addresses, so that nobody can find out who has an account. */
function Sent({ email: address, onAgain }: { email: string; onAgain: () => void }) {
  const { t } = useMessages()
  const ref = useRef<HTMLDivElement>(null)
  // The focused form has been removed.
  useEffect(() => ref.current?.focus(), [])
  return (
    <div ref={ref} tabIndex={-1} role="status">
      <Message kind="good">
        <p>
          <strong>{t('login.reset.sent')}</strong>
        </p>
        <p>{t('login.reset.sentHelp', { email: address })}</p>
        <TextButton onClick={onAgain}>{t('login.reset.again')}</TextButton>
      </Message>
    </div>
  )
}

export default page({ View: ResetView })
