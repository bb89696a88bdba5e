import { useState } from 'react'
import * as z from 'zod/mini'
import { line } from '#contract/fields.ts'
import { beginTotp, confirmTotp, removeTotp } from '#contract/sessions.ts'
import { call, type CallFailed } from '../../call.ts'
import { failureWords } from '../../forms/failure-words.ts'
import { FormFrame } from '../../forms/form-frame.tsx'
import { FormInput } from '../../forms/form-input.tsx'
import { useContractForm } from '../../forms/use-contract-form.ts'
import type { MessageKey } from '../../i18n/message-key.ts'
import { useWords } from '../../i18n/words.tsx'
import { useNotices } from '../../layout/notices.tsx'
import { updateMember as updateSession } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { FormStatus } from '../../ui/form-status.tsx'
import { Tag } from '../../ui/tag.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { groups } from './groups.ts'
import styles from './security.module.css'

const codeLengthMax = 40
const factorCode = z.object({
  code: line(codeLengthMax).check(z.minLength(1, 'required')),
})

type Step =
  | { name: 'rest' }
  | { name: 'setUp'; secret: string; otpauthUrl: string }
  | { name: 'codes'; recoveryCodes: string[] }
  | { name: 'remove' }

/** Sets the second factor up, shows its recovery codes once, and takes it away again. */
export function SecondFactor({ hasSecondFactor, email }: { hasSecondFactor: boolean; email: string }) {
  const { t } = useWords()
  const notices = useNotices()
  const [step, setStep] = useState<Step>({ name: 'rest' })
  const [isBeginning, setIsBeginning] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const rest = () => setStep({ name: 'rest' })

  async function begin() {
    setIsBeginning(true)
    setFailure(undefined)
    try {
      setStep({ name: 'setUp', ...(await call(beginTotp, { body: {} })) })
    } catch (cause) {
      setFailure(cause)
    } finally {
      setIsBeginning(false)
    }
  }

  if (step.name === 'codes') return <RecoveryCodes codes={step.recoveryCodes} email={email} onDone={rest} />
  if (step.name === 'setUp')
    return (
      <div className={styles.narrow}>
        <ol className={styles.steps}>
          <li>{t('security.factor.step1')}</li>
          <li>
            {t('security.factor.step2')}
            <code className={styles.secret}>{groups(step.secret)}</code>
            <a href={step.otpauthUrl}>{t('security.factor.open')}</a>
          </li>
          <li>{t('security.factor.step3')}</li>
        </ol>
        <FactorForm
          submitLabel="security.factor.confirm"
          help="security.factor.codeHelp"
          onCancel={rest}
          send={async (code) => {
            const { recoveryCodes } = await call(confirmTotp, { body: { code } })
            setStep({ name: 'codes', recoveryCodes })
            updateSession({ hasSecondFactor: true })
          }}
        />
      </div>
    )
  if (step.name === 'remove')
    return (
      <div className={styles.narrow}>
        <p>{t('security.factor.removeText')}</p>
        <FactorForm
          submitLabel="security.factor.removeConfirm"
          help="security.factor.removeHelp"
          onCancel={rest}
          send={async (code) => {
            await call(removeTotp, { body: { code } })
            rest()
            updateSession({ hasSecondFactor: false })
            notices.show(t('security.factor.removed'), 'success')
          }}
        />
      </div>
    )
  return (
    <div className={styles.state}>
      <Tag colour={hasSecondFactor ? 'verdigris' : 'quiet'}>
        {t(hasSecondFactor ? 'security.factor.on' : 'security.factor.off')}
      </Tag>
      {hasSecondFactor ? (
        <Button kind="danger" onClick={() => setStep({ name: 'remove' })}>
          {t('security.factor.remove')}
        </Button>
      ) : (
        <Button busy={isBeginning} onClick={() => void begin()}>
          {t('security.factor.begin')}
        </Button>
      )}
      <FormStatus error={failure === undefined ? undefined : failureWords(t, failure)} />
    </div>
  )
}

function FactorForm({
  submitLabel,
  help,
  send,
  onCancel,
}: {
  submitLabel: MessageKey
  help: MessageKey
  send: (code: string) => Promise<void>
  onCancel: () => void
}) {
  const { t } = useWords()
  const codeForm = useContractForm({
    schema: factorCode,
    labels: { code: 'login.factor.label' },
    submit: ({ code }) => send(code),
  })
  const explain = (failure: CallFailed) =>
    failure.code === 'code_invalid' ? t('login.factor.wrong') : undefined
  return (
    <FormFrame
      of={codeForm}
      submitLabel={t(submitLabel)}
      busyLabel={t('forms.sending')}
      explain={explain}
      beside={
        <Button kind="quiet" disabled={codeForm.isSending} onClick={onCancel}>
          {t('forms.cancel')}
        </Button>
      }
    >
      <FormInput
        of={codeForm}
        name="code"
        autoComplete="one-time-code"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        help={t(help)}
        limits={{ max: codeLengthMax }}
      />
    </FormFrame>
  )
}
