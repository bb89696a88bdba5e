import { useEffect, type ReactNode } from 'react'
import type { SecondFactorRequest } from '#contract/errors.ts'
import { failureMessage } from '../actions/failure-message.ts'
import { CallFailed } from '../call/call-failed.ts'
import { passedEmail, passEmailOn } from '../forms/passed-email.ts'
import { FormFrame } from '../forms/form-frame.tsx'
import { FormInput, FormPassword } from '../forms/form-input.tsx'
import { useContractForm } from '../forms/use-contract-form.ts'
import { useMessages, FormattedMessage } from '../i18n/messages.tsx'
import { pathTo } from '../routes/routes.ts'
import { credentials, type Credentials } from './credentials.ts'
import { signIn } from './sign-in.ts'

/** Email and password. If the account has a second factor, they are passed on to the next step. */
export function CredentialsForm({
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
  const linkTo = (page: 'login.activate' | 'login.reset') => ({
    link: (words: ReactNode) => (
      <a href={pathTo(page)} onClick={carry}>
        {words}
      </a>
    ),
  })
  const explain = (failure: CallFailed) => {
    // If staff deactivated the account, the server's message says so, and an activation code does not help.
    if (failure.code === 'member_inactive' && !failure.isClosed)
      return <FormattedMessage k="login.signin.inactive" tags={linkTo('login.activate')} />
    if (failure.code !== 'rate_limited') return undefined
    return (
      <>
        {failureMessage(t, failure)}{' '}
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
