import { useState } from 'react'
import type { SecondFactorRequest } from '#contract/errors.ts'
import { useMessages } from '../i18n/messages.tsx'
import { LoginFrame } from '../layout/login-frame.tsx'
import { page } from '../routes/page.ts'
import { navigate } from '../navigation/navigate.ts'
import { OrLine, PasskeyButton } from './passkeys/passkey-button.tsx'
import { pathTo } from '../routes/routes.ts'
import { signInWithPasskey } from './sign-in.ts'
import type { Credentials } from './credentials.ts'
import { CredentialsForm } from './credentials-form.tsx'
import type { SecondFactorStep } from './second-factor-step.tsx'

/** Goes to the page that required the sign-in, otherwise to the orders. */
const goOn = async () => {
  const { takeReturnUrl } = await import('../navigation/return-url.ts')
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
      foot={
        <p>
          {t('login.signin.noAccount')} <a href={pathTo('login.signup')}>{t('login.signin.toSignup')}</a>
        </p>
      }
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

export default page({ View: SigninView })
