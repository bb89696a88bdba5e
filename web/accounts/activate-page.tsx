import { useEffect, useState } from 'react'
import * as z from 'zod/mini'
import { SECOND } from '#contract/platform/durations.ts'
import { email, email as emailField, mailedCode } from '#contract/platform/fields.ts'
import { activateMember, resendActivation } from '#contract/people/members.ts'
import { useAction } from '../kernel/actions/use-action.ts'
import { call } from '../kernel/call/call.ts'
import { passedEmail, passEmailOn } from '../kernel/forms/passed-email.ts'
import { FormFrame } from '../kernel/forms/form-frame.tsx'
import { FormCode } from '../kernel/forms/form-code.tsx'
import { FormInput } from '../kernel/forms/form-input.tsx'
import { useContractForm } from '../kernel/forms/use-contract-form.ts'
import { formatWait } from '../kernel/i18n/format-wait.ts'
import type { KeyTaking } from '../kernel/i18n/message-key.ts'
import { useMessages } from '../kernel/i18n/messages.tsx'
import { LoginFrame } from '../kernel/layout/login-frame.tsx'
import { page, type PageProps } from '../kernel/routes/page.ts'
import { navigate } from '../kernel/navigation/navigate.ts'
import { pathTo } from '../kernel/routes/routes.ts'
import { useStore } from '../kernel/state/create-store.ts'
import { Button } from '../kernel/ui/button.tsx'
import { FormStatus, Message } from '../kernel/ui/form-status.tsx'
import { currentWork } from '../kernel/work/current-work.ts'
import styles from './resend-code.module.css'
import { useCountdown } from './use-countdown.ts'

const activation = z.object({ email, code: mailedCode })

type Lead = { k: KeyTaking<'email'>; email: string }

/** The emailed link fills in the form, but the member must submit it, because mail scanners open links too. */
function ActivateView({ search }: PageProps<unknown>) {
  const { t } = useMessages()
  const [lead, setLead] = useState<Lead>({ k: 'login.activate.lead', email: '' })
  const [isCodeInvalid, setIsCodeInvalid] = useState(false)
  const activationForm = useContractForm({
    schema: activation,
    labels: { email: 'forms.email.label', code: 'login.activate.code.label' },
    submit: async (params) => {
      setIsCodeInvalid(false)
      if (!(await call(activateMember, { params }))) return setIsCodeInvalid(true)
      // Passed on to the sign-in page that follows.
      passEmailOn(params.email)
      await navigate(pathTo('login.signin'), { notice: 'login.activate.done' })
    },
  })

  const { setValue, getValues } = activationForm.form
  const linkedEmail = search.get('email') ?? ''
  const linkedCode = search.get('code') ?? ''
  useEffect(() => {
    const address = linkedEmail || passedEmail()
    if (address && !getValues('email')) setValue('email', address)
    if (linkedCode) setValue('code', linkedCode)
    if (linkedCode) setLead({ k: 'login.activate.leadFilled', email: '' })
    else if (address) setLead({ k: 'login.activate.leadFor', email: address })
  }, [linkedEmail, linkedCode, setValue, getValues])

  const { values } = activationForm
  return (
    <LoginFrame
      heading={t('login.activate.heading')}
      lead={t(lead.k, { email: lead.email })}
      foot={<a href={pathTo('login.signin')}>{t('login.reset.back')}</a>}
    >
      <FormFrame
        of={activationForm}
        submitLabel={t('login.activate.submit')}
        busyLabel={t('login.activate.busy')}
        isButtonWide
      >
        <FormInput of={activationForm} name="email" autoComplete="email" />
        <FormCode of={activationForm} name="code" help={t('login.activate.code.help')} />
      </FormFrame>
      <div role="alert">
        {isCodeInvalid && (
          <Message kind="bad">
            <p>
              <strong>{t('login.activate.failure')}</strong>
              {t('login.activate.failureHelp')}
            </p>
          </Message>
        )}
      </div>
      <ResendCode email={values.email ?? ''} />
    </LoginFrame>
  )
}

const coolDown = 60 * SECOND

/** Requests another activation email, at most once a minute. */
function ResendCode({ email }: { email: string }) {
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

export default page({ View: ActivateView })
