import { type ReactNode, useEffect, useMemo, useState } from 'react'
import * as z from 'zod/mini'
import { currentPassword, factorCode, type Language } from '#contract/platform/fields.ts'
import { beginStepUp, type ProofKind, stepUp } from '#contract/people/sessions.ts'
import type { PasskeyRequest } from '#contract/people/webauthn.ts'
import { LoadFailed } from '../../kernel/actions/load-failed.tsx'
import { useLoaded } from '../../kernel/actions/use-loaded.ts'
import { call, type CallFailed } from '../../kernel/call/call.ts'
import type { StepUpOutcome } from '../../kernel/call/caller.ts'
import { loadMessages } from '../../kernel/content/load-messages.ts'
import { FormCode } from '../../kernel/forms/form-code.tsx'
import { FormFrame } from '../../kernel/forms/form-frame.tsx'
import { FormPassword } from '../../kernel/forms/form-input.tsx'
import { useContractForm } from '../../kernel/forms/use-contract-form.ts'
import type { Messages } from '../../kernel/i18n/message-key.ts'
import { MessagesProvider, useMessages } from '../../kernel/i18n/messages.tsx'
import type { ColorScheme } from '../../kernel/layout/color-scheme.ts'
import { useSession } from '../../kernel/session/session.ts'
import { useStore } from '../../kernel/state/create-store.ts'
import { Button, TextButton } from '../../kernel/ui/button.tsx'
import { Dialog } from '../../kernel/ui/dialog.tsx'
import { Loading } from '../../kernel/ui/loading.tsx'
import { signWithPasskey } from '../passkeys/passkey-browser.ts'
import { PasskeyButton } from '../passkeys/passkey-button.tsx'
import { pendingStepUp } from './ask-step-up.ts'
import styles from './step-up.module.css'

type Loaded = Awaited<ReturnType<typeof loadStepUpDialog>>

/** Renders the step-up dialog once its messages have loaded. */
export function StepUpDialogMount({ ground }: { ground: ColorScheme }) {
  const { language } = useMessages()
  const asked = useStore(pendingStepUp)
  const [dialog, setDialog] = useState<Loaded>()
  const isWanted = asked !== null
  useEffect(() => {
    if (!isWanted) return undefined
    let isCurrent = true
    loadStepUpDialog(language).then(
      (loaded) => isCurrent && setDialog(loaded),
      () => isCurrent && pendingStepUp.get()?.answer(false),
    )
    return () => {
      isCurrent = false
    }
  }, [isWanted, language])
  if (!asked || !dialog) return null
  const { StepUpDialog, messages } = dialog
  return (
    <div data-ground={ground}>
      <StepUpDialog language={language} messages={messages} onAnswer={asked.answer} />
    </div>
  )
}

type Answer = (outcome: StepUpOutcome) => void
type Way = 'passkey' | 'password' | 'code'

const namespaces = ['layout', 'errors', 'forms', 'step-up'] as const

/** Loads the dialog with its messages, which the open page may not have. */
const loadStepUpDialog = async (language: Language) => ({
  StepUpDialog,
  messages: await loadMessages(language, namespaces),
})

function StepUpDialog({
  language,
  messages,
  onAnswer,
}: {
  language: Language
  messages: Messages
  onAnswer: Answer
}) {
  const { setLanguage } = useMessages()
  const spoken = useMemo(() => ({ language, messages, setLanguage }), [language, messages, setLanguage])
  return (
    <MessagesProvider value={spoken}>
      <Question onAnswer={onAnswer} />
    </MessagesProvider>
  )
}

function Question({ onAnswer }: { onAnswer: Answer }) {
  const { t } = useMessages()
  const loaded = useLoaded('step-up', () => call(beginStepUp, { body: {} }))
  const cancel = () => onAnswer('canceled')
  return (
    <Dialog isOpen onClose={cancel} title={t('stepUp.heading')} actions={null}>
      <p className={styles.lead}>{t('stepUp.lead')}</p>
      {loaded.state === 'loading' && <Loading label={t('forms.loading')} />}
      {loaded.state === 'failed' && (
        <LoadFailed title={t('stepUp.failed')} failure={loaded.failure} retry={loaded.retry} />
      )}
      {loaded.state === 'ready' && (
        <StepUpMethods
          kinds={loaded.data.kinds}
          passkey={loaded.data.passkey}
          reload={loaded.reload}
          onAnswer={onAnswer}
        />
      )}
      {loaded.state !== 'ready' && (
        <Button kind="quiet" onClick={cancel}>
          {t('forms.cancel')}
        </Button>
      )}
    </Dialog>
  )
}

/**
 * One method at a time, the quickest first, with buttons for the others. The password is accepted only if there is no
 * second factor.
 */
function StepUpMethods({
  kinds,
  passkey,
  reload,
  onAnswer,
}: {
  kinds: readonly ProofKind[]
  passkey: PasskeyRequest | null
  reload: () => void
  onAnswer: Answer
}) {
  const { t } = useMessages()
  const methods: Way[] = [
    ...(passkey ? (['passkey'] as const) : []),
    ...(kinds.includes('password') ? (['password'] as const) : []),
    ...(kinds.includes('totp') || kinds.includes('recovery') ? (['code'] as const) : []),
  ]
  const [way, setWay] = useState<Way>(methods[0] ?? 'password')
  const cancel = (
    <Button kind="quiet" onClick={() => onAnswer('canceled')}>
      {t('forms.cancel')}
    </Button>
  )
  const prove = async (body: Parameters<typeof call<typeof stepUp>>[1]['body']) => {
    await call(stepUp, { body })
    onAnswer(true)
  }
  async function confirmWith(request: PasskeyRequest) {
    try {
      await prove({ passkey: await signWithPasskey(request) })
    } catch (failure) {
      // A challenge works only once, so the next attempt needs another one.
      reload()
      throw failure
    }
  }
  return (
    <div className={styles.methods}>
      {way === 'passkey' && passkey && (
        <div className={styles.row}>
          <PasskeyButton run={() => confirmWith(passkey)}>{t('passkey.use')}</PasskeyButton>
          {cancel}
        </div>
      )}
      {way === 'password' && <PasswordProof prove={(password) => prove({ password })} beside={cancel} />}
      {way === 'code' && (
        <CodeProof hasTotp={kinds.includes('totp')} prove={(code) => prove({ code })} beside={cancel} />
      )}
      {methods.length > 1 && (
        <p className={styles.others}>
          {methods
            .filter((other) => other !== 'password')
            .filter((other) => other !== way)
            .map((other) => (
              <TextButton key={other} onClick={() => setWay(other)}>
                {t(`stepUp.other.${other}`)}
              </TextButton>
            ))}
        </p>
      )}
      {way !== 'password' && <p className={styles.lost}>{t('stepUp.lost')}</p>}
    </div>
  )
}

const passwordGiven = z.object({ password: currentPassword })
const codeGiven = z.object({ code: factorCode })

function PasswordProof({ prove, beside }: { prove: (password: string) => Promise<void>; beside: ReactNode }) {
  const { t } = useMessages()
  const { member } = useSession()
  const proof = useContractForm({
    schema: passwordGiven,
    labels: { password: 'stepUp.password.label' },
    submit: ({ password }) => prove(password),
  })
  const explain = (failure: CallFailed) =>
    failure.code === 'credentials_invalid' ? t('stepUp.password.wrong') : undefined
  return (
    <FormFrame
      of={proof}
      startAt="password"
      submitLabel={t('stepUp.submit')}
      busyLabel={t('stepUp.busy')}
      explain={explain}
      beside={beside}
    >
      {/* Tells password managers which account to use. */}
      <input
        type="text"
        name="username"
        autoComplete="username"
        value={member?.email ?? ''}
        readOnly
        hidden
      />
      <FormPassword of={proof} name="password" autoComplete="current-password" />
    </FormFrame>
  )
}

function CodeProof({
  hasTotp,
  prove,
  beside,
}: {
  hasTotp: boolean
  prove: (code: string) => Promise<void>
  beside: ReactNode
}) {
  const { t } = useMessages()
  const proof = useContractForm({
    schema: codeGiven,
    labels: { code: 'stepUp.code.label' },
    submit: ({ code }) => prove(code),
  })
  return (
    <FormFrame
      of={proof}
      startAt="code"
      submitLabel={t('stepUp.submit')}
      busyLabel={t('stepUp.busy')}
      beside={beside}
    >
      <FormCode of={proof} name="code" help={t(hasTotp ? 'stepUp.code.help' : 'stepUp.code.recoveryHelp')} />
    </FormFrame>
  )
}
