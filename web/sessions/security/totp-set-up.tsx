import styles from './security.module.css'
import { confirmTotp } from '#contract/sessions.ts'
import { call } from '../../call/call.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { QrCode, type Qr } from '../../ui/qr-code.tsx'
import { CodeForm } from './code-form.tsx'

/** Splits into groups of four, which are easy to read and type. */
const groups = (secret: string): string => (secret.match(/.{1,4}/gu) ?? []).join(' ')

export type TotpSecret = { secret: string; otpauthUrl: string; qr: Qr }

/** The new secret as a QR code and as text, and a field for the first code, which completes the setup. */
export function TotpSetUp({
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
