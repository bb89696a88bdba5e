import { useState } from 'react'
import { useWords } from '../i18n/words.tsx'
import { LoginFrame } from '../layout/login-frame.tsx'
import { page } from '../layout/page.ts'
import { interruptedPath, navigate } from '../navigate.ts'
import { pathTo } from '../routes.ts'
import { CredentialsForm, type Credentials } from './credentials-form.tsx'
import { SecondFactorForm } from './second-factor-form.tsx'

/** The page that asked for a sign-in, else the orders. */
const goOn = () => navigate(interruptedPath() ?? pathTo('account.accountDetails'))

function SigninView() {
  const { t } = useWords()
  const [credentials, setCredentials] = useState<Credentials>()
  if (credentials)
    return (
      <LoginFrame
        heading={t('login.factor.heading')}
        lead={t('login.factor.lead', { email: credentials.email })}
      >
        <SecondFactorForm
          credentials={credentials}
          onSignedIn={goOn}
          onBack={() => setCredentials(undefined)}
        />
      </LoginFrame>
    )
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
      <CredentialsForm onSignedIn={goOn} onSecondFactor={setCredentials} />
    </LoginFrame>
  )
}

export default page({ View: SigninView })
