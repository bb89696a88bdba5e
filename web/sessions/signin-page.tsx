import { type ReactNode, useEffect, useState } from 'react'
import type { SecondFactorRequest } from '#contract/platform/errors.ts'
import { failureMessage } from '../kernel/actions/failure-message.ts'
import { CallFailed } from '../kernel/call/call-failed.ts'
import { FormFrame } from '../kernel/forms/form-frame.tsx'
import { FormInput, FormPassword } from '../kernel/forms/form-input.tsx'
import { passedEmail, passEmailOn } from '../kernel/forms/passed-email.ts'
import { useContractForm } from '../kernel/forms/use-contract-form.ts'
import { FormattedMessage, SentenceSpace, useMessages } from '../kernel/i18n/messages.tsx'
import { LoginFrame } from '../kernel/layout/login-frame.tsx'
import { frameParts } from '../kernel/layout/served/deferred-frame-parts.ts'
import { page } from '../kernel/routes/page.ts'
import { navigate } from '../kernel/navigation/navigate.ts'
import { OrLine, PasskeyButton } from './passkeys/passkey-button.tsx'
import { pathTo } from '../kernel/routes/routes.ts'
import { Still } from '../kernel/still/still.tsx'
import { signIn, signInWithPasskey } from './sign-in.ts'
import { type Credentials, credentials } from './credentials.ts'
import type { SecondFactorStep } from './second-factor-step.tsx'

/** Goes to the page that required the sign-in, otherwise to the orders. */
const goOn = async () => {
  const { takeReturnUrl } = await import('../kernel/navigation/return-url.ts')
  await navigate(takeReturnUrl() ?? pathTo('account.accountDetails'))
}

type Step = { credentials: Credentials; factorRequest: SecondFactorRequest; Form: typeof SecondFactorStep }

/** Most accounts have no second factor, so this script is loaded on demand. */
const loadSecondStep = () => import('./second-factor-step.tsx')

function SigninView() {
  const { t } = useMessages()
  const [step, setStep] = useState<Step>()
  if (step) {
    const { Form, ...factorRequest } = step
    const { email } = step.credentials
    return (
      <LoginFrame
        heading={t('login.factor.heading')}
        lead={t(step.factorRequest.passkey ? 'login.factor.leadPasskey' : 'login.factor.lead', { email })}
      >
        <Form {...factorRequest} onSignedIn={goOn} onBack={() => setStep(undefined)} />
      </LoginFrame>
    )
  }
  return (
    <LoginFrame
      heading={t('login.signin.heading')}
      lead={t('login.signin.lead')}
      foot={<Still of={frameParts} part="SigninFoot" given={{}} />}
    >
      <CredentialsForm
        onSignedIn={goOn}
        onSecondFactor={async (credentials, factorRequest) => {
          const { SecondFactorStep: Form } = await loadSecondStep()
          setStep({ credentials, factorRequest, Form })
        }}
      />
      <OrLine />
      <PasskeyButton
        kind="quiet"
        isWide
        run={async () => {
          await signInWithPasskey()
          await goOn()
        }}
      >
        {t('passkey.use')}
      </PasskeyButton>
    </LoginFrame>
  )
}

/** Email and password. If the account has a second factor, they are passed on to the next step. */
function CredentialsForm({
  onSignedIn,
  onSecondFactor,
}: {
  onSignedIn: () => Promise<void>
  onSecondFactor: (credentials: Credentials, factorRequest: SecondFactorRequest) => Promise<void> | void
}) {
  const { t } = useMessages()
  const signinForm = useContractForm({
    schema: credentials,
    labels: { email: 'forms.email.label', password: 'login.signin.password.label' },
    submit: async (given) => {
      try {
        await signIn(given)
      } catch (failure) {
        if (failure instanceof CallFailed && failure.secondFactor)
          return onSecondFactor(given, failure.secondFactor)
        throw failure
      }
      passEmailOn(undefined)
      await onSignedIn()
    },
  })
  const { getValues, setValue } = signinForm.form
  useEffect(() => {
    const carried = passedEmail()
    if (carried && !getValues('email')) setValue('email', carried)
  }, [getValues, setValue])
  const carry = () => passEmailOn(signinForm.values.email)
  const linkTo = (page: 'login.activate' | 'login.reset' | 'contact') => ({
    link: (words: ReactNode) => (
      <a href={pathTo(page)} onClick={carry}>
        {words}
      </a>
    ),
  })
  const explain = (failure: CallFailed) => {
    // If staff deactivated the account, an activation code does not help.
    if (failure.isClosed) return <FormattedMessage k="login.signin.closed" tags={linkTo('contact')} />
    if (failure.code === 'member_inactive')
      return <FormattedMessage k="login.signin.inactive" tags={linkTo('login.activate')} />
    if (failure.code !== 'rate_limited') return undefined
    return (
      <>
        {failureMessage(t, failure)}
        <SentenceSpace />
        <FormattedMessage k="login.signin.limited" tags={linkTo('login.reset')} />
      </>
    )
  }
  return (
    <FormFrame
      of={signinForm}
      submitLabel={t('login.signin.submit')}
      busyLabel={t('login.signin.busy')}
      isButtonWide
      explain={explain}
    >
      <FormInput of={signinForm} name="email" autoComplete="username" />
      <FormPassword
        of={signinForm}
        name="password"
        autoComplete="current-password"
        help={
          <a href={pathTo('login.reset')} onClick={carry}>
            {t('login.signin.forgot')}
          </a>
        }
      />
    </FormFrame>
  )
}

export default page({ View: SigninView })
