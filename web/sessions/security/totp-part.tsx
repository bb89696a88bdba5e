import { useState } from 'react'
import { beginTotp, removeTotp } from '#contract/sessions.ts'
import { call } from '../../call/call.ts'
import { useAction } from '../../actions/use-action.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { showNotice } from '../../notices/notices.ts'
import { makeQr } from '../../make-qr.ts'
import { Button } from '../../ui/button.tsx'
import { FormStatus } from '../../ui/form-status.tsx'
import { Tag } from '../../ui/tag.tsx'
import { CodeForm } from './code-form.tsx'
import styles from './security.module.css'
import { TotpSetUp, type TotpSecret } from './totp-set-up.tsx'

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
