import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import * as z from 'zod/mini'
import type { SecondFactorRequest } from '#contract/platform/errors.ts'
import { currentPassword } from '#contract/platform/fields.ts'
import { CallFailed } from '../../kernel/call/call.ts'
import { loadMessages } from '../../kernel/content/load-messages.ts'
import { FormFrame } from '../../kernel/forms/form-frame.tsx'
import { FormPassword } from '../../kernel/forms/form-input.tsx'
import { useContractForm } from '../../kernel/forms/use-contract-form.ts'
import { currentLanguage } from '../../kernel/i18n/current-language.ts'
import { MessagesProvider, useMessages } from '../../kernel/i18n/messages.tsx'
import { declineReauthentication } from '../../kernel/session/keep-session.ts'
import { type Member } from '../../kernel/session/session.ts'
import { Button, TextButton } from '../../kernel/ui/button.tsx'
import { Dialog } from '../../kernel/ui/dialog.tsx'
import type { Credentials } from '../credentials.ts'
import { SecondFactorStep } from '../second-factor-step.tsx'
import { signIn } from '../sign-in.ts'

/**
 * Asks a member whose session has ended to sign in again, in a dialog over the current page, which stays mounted.
 * Resolves when they have signed in, postponed it, or signed out.
 */
export async function reauthenticate(ended: Member): Promise<void> {
  const language = currentLanguage()
  const messages = await loadMessages(language, ['errors', 'forms', 'layout', 'login', 'session', 'step-up'])
  const place = document.createElement('div')
  place.dataset['ground'] = 'auto'
  document.body.append(place)
  const root = createRoot(place)
  await new Promise<void>((resolve) => {
    root.render(
      <MessagesProvider value={{ language, messages, setLanguage: () => Promise.resolve() }}>
        <ReauthenticationDialog
          email={ended.email}
          onDone={resolve}
          onLeave={() => (declineReauthentication(), resolve())}
        />
      </MessagesProvider>,
    )
  })
  root.unmount()
  place.remove()
}

/**
 * The dialog for an ended session. It offers every way to sign in. Each one calls `onDone`, and so does postponing,
 * which makes the waiting request fail. `onLeave` is for signing in with another account.
 */
function ReauthenticationDialog({
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

const password = z.object({ password: currentPassword })

/** Asks for the password of a known account. */
function PasswordReauthentication({
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
