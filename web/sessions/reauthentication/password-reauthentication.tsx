import * as z from 'zod/mini'
import type { SecondFactorRequest } from '#contract/errors.ts'
import { currentPassword } from '#contract/fields.ts'
import { CallFailed } from '../../call/call.ts'
import { FormFrame } from '../../forms/form-frame.tsx'
import { FormPassword } from '../../forms/form-input.tsx'
import { useContractForm } from '../../forms/use-contract-form.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { signIn } from '../sign-in.ts'
import type { Credentials } from '../credentials.ts'

const password = z.object({ password: currentPassword })

/** Asks for the password of a known account. */
export function PasswordReauthentication({
  email,
  onSignedIn,
  onSecondFactor,
}: {
  email: string
  onSignedIn: () => Promise<void>
  onSecondFactor: (credentials: Credentials, factorRequest: SecondFactorRequest) => void
}) {
  const { t } = useMessages()
  const passwordForm = useContractForm({
    schema: password,
    labels: { password: 'login.signin.password.label' },
    submit: async (given) => {
      const credentials = { email, ...given }
      try {
        await signIn(credentials)
      } catch (failure) {
        if (failure instanceof CallFailed && failure.secondFactor)
          return onSecondFactor(credentials, failure.secondFactor)
        throw failure
      }
      await onSignedIn()
    },
  })
  const explain = (failure: CallFailed) =>
    failure.code === 'credentials_invalid' ? t('session.again.wrong') : undefined
  return (
    <FormFrame
      of={passwordForm}
      startAt="password"
      submitLabel={t('session.again.submit')}
      busyLabel={t('login.signin.busy')}
      explain={explain}
      isButtonWide
    >
      {/* Tells password managers which account to use. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <FormPassword of={passwordForm} name="password" autoComplete="current-password" />
    </FormFrame>
  )
}
