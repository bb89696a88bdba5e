import commonPasswords from '#content/facts/common-passwords.json'
import { useMessages } from '../../i18n/messages.tsx'
import styles from './password-advice.module.css'

type Strength = 'veryWeak' | 'weak' | 'fair' | 'good' | 'strong'

/** Lower bounds in bits of guessing effort: 28 is within reach of a patient attacker, 80 is out of reach. */
const thresholds: readonly [bits: number, strength: Strength][] = [
  [80, 'strong'],
  [60, 'good'],
  [44, 'fair'],
  [28, 'weak'],
]

const common = new Set(commonPasswords)
const lookalikes: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'l',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

/**
 * Whether it is a common password, including variants with capitals, look-alike characters, or a short suffix such as
 * 123!.
 */
export function isCommonPassword(password: string): boolean {
  const lower = password.toLowerCase()
  const plain = lower.replace(/[\d!@#$%^&*._-]{0,4}$/, '')
  return [lower, spell(lower), ...(plain.length >= 4 ? [plain, spell(plain)] : [])].some((form) =>
    common.has(form),
  )
}

const spell = (text: string) => [...text].map((sign) => lookalikes[sign] ?? sign).join('')

/**
 * A rough estimate of the guessing effort in bits, for advice only. Each character counts as a random choice from the
 * character classes in use, a repeated one counts half, one that continues a sequence almost nothing, and personal data
 * (`known`, such as the email address) nothing.
 */
export function passwordStrength(password: string, known: readonly string[] = []): Strength {
  if (isCommonPassword(password)) return 'veryWeak'
  const signs = [...withoutKnown(password.toLowerCase(), known)]
  const draw = Math.log2(poolSize(password))
  const bits = signs.reduce((sum, sign, index) => {
    if (isRun(signs.slice(Math.max(0, index - 2), index + 1).join(''))) return sum + 1
    return sum + (signs.indexOf(sign) < index ? draw / 2 : draw)
  }, 0)
  return thresholds.find(([from]) => bits >= from)?.[1] ?? 'veryWeak'
}

const withoutKnown = (password: string, known: readonly string[]) =>
  known
    .flatMap((text) => text.toLowerCase().split(/[@.\s]+/))
    .filter((part) => part.length >= 4)
    .reduce((left, part) => left.replaceAll(part, ''), password)

/** Lowercase, uppercase, digits, and symbols. For all other scripts, a few thousand characters are in everyday use. */
const kinds: readonly [kind: RegExp, size: number][] = [
  [/[a-z]/, 26],
  [/[A-Z]/, 26],
  [/\d/, 10],
  [/[ -/:-@[-`{-~]/, 33],
  [/[^ -~]/, 2000],
]

const poolSize = (password: string) =>
  Math.max(
    2,
    kinds.reduce((sum, [kind, size]) => sum + (kind.test(password) ? size : 0), 0),
  )

const rows = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm', '1234567890']

/** Whether three characters in a row are equal or adjacent, in the alphabet or on the keyboard, in either direction. */
function isRun(three: string): boolean {
  const [a, b, c] = [...three].map((sign) => sign.codePointAt(0) ?? 0)
  if (a === undefined || b === undefined || c === undefined) return false
  if (b - a === c - b && Math.abs(b - a) <= 1) return true
  const back = [...three].reverse().join('')
  return rows.some((row) => row.includes(three) || row.includes(back))
}

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
