import { useState } from 'react'
import type { SecondFactorRequest } from '#contract/errors.ts'
import { CallFailed } from '../call/call.ts'
import { useMessages } from '../i18n/messages.tsx'
import { OrLine, PasskeyButton } from './passkeys/passkey-button.tsx'
import { signWithPasskey } from './passkeys/passkey-browser.ts'
import { signIn } from './sign-in.ts'
import { TextButton } from '../ui/button.tsx'
import type { Credentials } from './credentials.ts'
import { RecoveryOffer } from './account-recovery/recovery-offer.tsx'
import { SecondFactorForm } from './second-factor-form.tsx'

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
