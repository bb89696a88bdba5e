import { useMemo, useState } from 'react'
import type { Language } from '#contract/fields.ts'
import { beginStepUp, stepUp, type ProofKind } from '#contract/sessions.ts'
import type { PasskeyRequest } from '#contract/webauthn.ts'
import { call } from '../../call/call.ts'
import { loadMessages } from '../../content/load-messages.ts'
import type { Messages } from '../../i18n/message-key.ts'
import { useMessages, MessagesProvider } from '../../i18n/messages.tsx'
import { LoadFailed } from '../../actions/load-failed.tsx'
import { useLoaded } from '../../actions/use-loaded.ts'
import { PasskeyButton } from '../passkeys/passkey-button.tsx'
import { signWithPasskey } from '../passkeys/passkey-browser.ts'
import { Button, TextButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Loading } from '../../ui/loading.tsx'
import { CodeProof, PasswordProof } from './step-up-forms.tsx'
import styles from './step-up.module.css'

type Answer = (isConfirmed: boolean) => void
type Way = 'passkey' | 'password' | 'code'

const namespaces = ['layout', 'errors', 'forms', 'step-up'] as const

/** Loads the dialog with its messages, which the open page may not have. */
export const loadStepUpDialog = async (language: Language) => ({
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
  const cancel = () => onAnswer(false)
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
    <Button kind="quiet" onClick={() => onAnswer(false)}>
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
