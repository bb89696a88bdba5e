import { useState } from 'react'
import type { SecondFactorRequest } from '#contract/errors.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { Button, TextButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import type { Credentials } from '../credentials.ts'
import { SecondFactorStep } from '../second-factor-step.tsx'
import { PasswordReauthentication } from './password-reauthentication.tsx'

/**
 * The dialog for an ended session. It offers every way to sign in. Each one calls `onDone`, and so does postponing,
 * which makes the waiting request fail. `onLeave` is for signing in with another account.
 */
export function ReauthenticationDialog({
  email,
  onDone,
  onLeave,
}: {
  email: string
  onDone: () => void
  onLeave: () => void
}) {
  const { t } = useMessages()
  const [step, setStep] = useState<{ credentials: Credentials; factorRequest: SecondFactorRequest }>()
  const [afterClose, setAfterClose] = useState<() => void>()
  // The dialog closes first, so that the focus returns to its previous place.
  const finish = (then: () => void) => {
    setAfterClose(() => then)
    setTimeout(then)
  }
  const done = () => Promise.resolve(finish(onDone))
  return (
    <Dialog
      isOpen={afterClose === undefined}
      onClose={() => finish(onDone)}
      title={t('session.again.heading')}
      actions={
        <>
          {/* The second step has its own heading. */}
          {!step && <TextButton onClick={() => finish(onLeave)}>{t('session.again.leave')}</TextButton>}
          <Button kind="quiet" onClick={() => finish(onDone)}>
            {t('session.again.later')}
          </Button>
        </>
      }
    >
      <p>{t('session.again.text', { email })}</p>
      {step ? (
        <SecondFactorStep {...step} onSignedIn={done} onBack={() => finish(onLeave)} />
      ) : (
        <PasswordReauthentication
          email={email}
          onSignedIn={done}
          onSecondFactor={(credentials, factorRequest) => setStep({ credentials, factorRequest })}
        />
      )}
    </Dialog>
  )
}
