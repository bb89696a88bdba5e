import { useState } from 'react'
import * as z from 'zod/mini'
import { factorCode } from '#contract/platform/fields.ts'
import { beginTotp, confirmTotp, removeTotp } from '#contract/people/sessions.ts'
import { call, type CallFailed } from '../../kernel/call/call.ts'
import { useAction } from '../../kernel/actions/use-action.ts'
import { FormCode } from '../../kernel/forms/form-code.tsx'
import { FormFrame } from '../../kernel/forms/form-frame.tsx'
import { useContractForm } from '../../kernel/forms/use-contract-form.ts'
import type { PlainKey } from '../../kernel/i18n/message-key.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { showNotice } from '../../kernel/notices/notices.ts'
import { makeQr } from '../../kernel/make-qr.ts'
import { Button } from '../../kernel/ui/button.tsx'
import { FormStatus } from '../../kernel/ui/form-status.tsx'
import { type Qr, QrCode } from '../../kernel/ui/qr-code.tsx'
import { Tag } from '../../kernel/ui/tag.tsx'
import styles from './security.module.css'

type Step = { name: 'rest' } | { name: 'setUp'; begun: TotpSecret } | { name: 'remove' }

/** Sets up and removes the authenticator app. */
export function TotpPart({
  isOn,
  hasPasskey,
  onCodes,
  onRemoved,
}: {
  isOn: boolean
  hasPasskey: boolean
  onCodes: (recoveryCodes: string[]) => void
  onRemoved: () => void
}) {
  const { t } = useMessages()
  const [step, setStep] = useState<Step>({ name: 'rest' })
  const { isBusy, error, run } = useAction()
  const rest = () => setStep({ name: 'rest' })

  const begin = () =>
    run(async () => {
      const begun = await call(beginTotp, { body: {} })
      setStep({ name: 'setUp', begun: { ...begun, qr: await makeQr(begun.otpauthUrl) } })
    })

  if (step.name === 'setUp')
    return (
      <TotpSetUp
        begun={step.begun}
        onCancel={rest}
        onCodes={(recoveryCodes) => {
          rest()
          onCodes(recoveryCodes)
        }}
      />
    )
  if (step.name === 'remove')
    return (
      <div className={styles.narrow}>
        <p>{t(hasPasskey ? 'security.factor.removeTextPasskey' : 'security.factor.removeText')}</p>
        <CodeForm
          submitLabel="security.factor.removeConfirm"
          help="security.factor.removeHelp"
          onCancel={rest}
          send={async (code) => {
            await call(removeTotp, { body: { code } })
            rest()
            onRemoved()
            showNotice(t('security.factor.removed'), 'success')
          }}
        />
      </div>
    )
  return (
    <div className={styles.state}>
      <Tag colour={isOn ? 'verdigris' : 'quiet'}>
        {t(isOn ? 'security.factor.on' : 'security.factor.off')}
      </Tag>
      {isOn ? (
        <Button kind="danger" onClick={() => setStep({ name: 'remove' })}>
          {t('security.factor.remove')}
        </Button>
      ) : (
        <Button kind="quiet" busy={isBusy} onClick={() => void begin()}>
          {t('security.factor.begin')}
        </Button>
      )}
      <FormStatus error={error} />
    </div>
  )
}

/** Splits into groups of four, which are easy to read and type. */
const groups = (secret: string): string => (secret.match(/.{1,4}/gu) ?? []).join(' ')

type TotpSecret = { secret: string; otpauthUrl: string; qr: Qr }

/** The new secret as a QR code and as text, and a field for the first code, which completes the setup. */
function TotpSetUp({
  begun: { secret, otpauthUrl, qr },
  onCancel,
  onCodes,
}: {
  begun: TotpSecret
  onCancel: () => void
  onCodes: (recoveryCodes: string[]) => void
}) {
  const { t } = useMessages()
  return (
    <div className={styles.setUp}>
      <ol className={styles.steps}>
        <li>{t('security.factor.step1')}</li>
        <li>
          {t('security.factor.step2')}
          <div className={styles.secretRow}>
            <QrCode qr={qr} label={t('security.factor.qr')} />
            <div>
              <code className={styles.secret}>{groups(secret)}</code>
              <a href={otpauthUrl}>{t('security.factor.open')}</a>
            </div>
          </div>
        </li>
        <li>{t('security.factor.step3')}</li>
      </ol>
      <CodeForm
        submitLabel="security.factor.confirm"
        help="security.factor.codeHelp"
        onCancel={onCancel}
        send={async (code) => onCodes((await call(confirmTotp, { body: { code } })).recoveryCodes)}
      />
    </div>
  )
}

const codeGiven = z.object({ code: factorCode })

/** A code from the authenticator app, or a recovery code if `help` says so. */
function CodeForm({
  submitLabel,
  help,
  send,
  onCancel,
}: {
  submitLabel: PlainKey
  help: PlainKey
  send: (code: string) => Promise<void>
  onCancel: () => void
}) {
  const { t } = useMessages()
  const codeForm = useContractForm({
    schema: codeGiven,
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
      <FormCode of={codeForm} name="code" help={t(help)} />
    </FormFrame>
  )
}
