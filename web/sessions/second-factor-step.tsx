import { type ReactNode, useState } from 'react'
import * as z from 'zod/mini'
import type { SecondFactorRequest } from '#contract/platform/errors.ts'
import { factorCode } from '#contract/platform/fields.ts'
import { failureMessage } from '../kernel/actions/failure-message.ts'
import { CallFailed } from '../kernel/call/call.ts'
import { FormCode } from '../kernel/forms/form-code.tsx'
import { FormFrame } from '../kernel/forms/form-frame.tsx'
import { useContractForm } from '../kernel/forms/use-contract-form.ts'
import { useMessages } from '../kernel/i18n/messages.tsx'
import { OrLine, PasskeyButton } from './passkeys/passkey-button.tsx'
import { signWithPasskey } from './passkeys/passkey-browser.ts'
import { signIn } from './sign-in.ts'
import { TextButton } from '../kernel/ui/button.tsx'
import type { Credentials } from './credentials.ts'
import { RecoveryOffer } from './account-recovery/recovery-offer.tsx'

/** The second step of a sign-in, with the factors that the account has. */
export function SecondFactorStep({
  credentials,
  factorRequest: initialRequest,
  onSignedIn,
  onBack,
}: {
  credentials: Credentials
  factorRequest: SecondFactorRequest
  onSignedIn: () => Promise<void>
  onBack: () => void
}) {
  const { t } = useMessages()
  const [factorRequest, setFactorRequest] = useState(initialRequest)
  const { kinds, passkey } = factorRequest
  const hasCode = kinds.includes('totp') || kinds.includes('recovery')

  async function confirmWith(request: NonNullable<typeof passkey>) {
    try {
      await signIn({ ...credentials, passkey: await signWithPasskey(request) })
    } catch (failure) {
      if (!(failure instanceof CallFailed && failure.secondFactor)) throw failure
      // A challenge works only once. The error response contains the next one.
      setFactorRequest(failure.secondFactor)
      throw new CallFailed('passkey_invalid', t('errors.passkey_invalid'))
    }
    await onSignedIn()
  }
  const back = <TextButton onClick={onBack}>{t('login.factor.back')}</TextButton>
  return (
    <>
      {passkey && (
        <PasskeyButton isWide run={() => confirmWith(passkey)}>
          {t('passkey.use')}
        </PasskeyButton>
      )}
      {passkey && hasCode && <OrLine />}
      {hasCode && (
        <SecondFactorForm
          hasTotp={kinds.includes('totp')}
          isFirst={!passkey}
          send={(secondFactor) => signIn({ ...credentials, secondFactor })}
          onSignedIn={onSignedIn}
          beside={back}
        />
      )}
      {!hasCode && <p>{back}</p>}
      <RecoveryOffer credentials={credentials} known={factorRequest.lostFactor} />
    </>
  )
}

const factor = z.object({ secondFactor: factorCode })

/** A code of the authenticator app, or a recovery code. */
function SecondFactorForm({
  hasTotp,
  isFirst,
  send,
  onSignedIn,
  beside,
}: {
  hasTotp: boolean
  /** Whether it is the first method offered in this step. */
  isFirst: boolean
  send: (code: string) => Promise<unknown>
  onSignedIn: () => Promise<void>
  beside: ReactNode
}) {
  const { t } = useMessages()
  const factorForm = useContractForm({
    schema: factor,
    labels: { secondFactor: hasTotp ? 'login.factor.label' : 'login.factor.recovery.label' },
    submit: async ({ secondFactor }) => {
      await send(secondFactor)
      await onSignedIn()
    },
  })
  const explain = (failure: CallFailed) => {
    if (failure.code === 'second_factor_required')
      return t(hasTotp ? 'login.factor.wrong' : 'login.factor.recovery.wrong')
    // Only the rate limit of codes leaves other factors available.
    const isOpen = failure.code === 'rate_limited' && (failure.secondFactor?.kinds.length ?? 0) > 0
    return isOpen && `${failureMessage(t, failure)} ${t('login.factor.limited')}`
  }
  return (
    <FormFrame
      of={factorForm}
      startAt={isFirst ? 'secondFactor' : undefined}
      submitLabel={t('login.signin.submit')}
      busyLabel={t('login.signin.busy')}
      explain={explain}
      beside={beside}
    >
      <FormCode
        of={factorForm}
        name="secondFactor"
        help={t(hasTotp ? 'login.factor.help' : 'login.factor.recovery.help')}
      />
    </FormFrame>
  )
}
