import { useMessages } from '../../i18n/messages.tsx'
import styles from './password-advice.module.css'
import { isCommonPassword, passwordStrength, type Strength } from './password-strength.ts'
const ranks: readonly Strength[] = ['veryWeak', 'weak', 'fair', 'good', 'strong']

/**
 * Shows the minimum length and an estimate of the password's strength. This is advice only: weak passwords are
 * accepted.
 */
export function PasswordAdvice({
  password,
  min,
  known,
}: {
  password: string | undefined
  min: number
  /** Data that an attacker may know, such as the email address. */
  known?: readonly string[]
}) {
  const { t } = useMessages()
  const strength = password ? passwordStrength(password, known) : undefined
  const rank = strength ? ranks.indexOf(strength) : -1
  const isCommon = password !== undefined && isCommonPassword(password)
  return (
    <div className={styles.advice}>
      <p>{t('forms.passwordMin', { min })}</p>
      <div className={styles.meter} data-rank={rank} aria-hidden="true">
        {ranks.map((each, index) => (
          <span key={each} className={index <= rank ? styles.filled : undefined} />
        ))}
      </div>
      <div role="status">
        {strength && <p>{t('forms.strength.label', { strength: t(`forms.strength.${strength}`) })}</p>}
        {isCommon && <p className={styles.warning}>{t('forms.strength.common')}</p>}
        {!isCommon && rank >= 0 && rank < 2 && <p>{t('forms.strength.advice')}</p>}
      </div>
    </div>
  )
}
