import { parseDecimal } from '#contract/platform/decimal.ts'
import { decimalPattern } from '#contract/platform/fields.ts'
import type { RateChange } from '#contract/money/flat-sale.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { TextField } from '../../kernel/ui/field.tsx'
import { Message } from '../../kernel/ui/form-status.tsx'
import { formatPercent } from './change-list.tsx'
import styles from './sale.module.css'

export type TypedRates = Readonly<Record<string, string>>
/** The changes that must be typed again, and what was typed. */
export type Confirmation = { changes: readonly RateChange[]; typed: TypedRates }

/** Whether the new rate was typed correctly. */
export const isTyped = ({ code, to }: RateChange, typed: TypedRates): boolean => {
  const text = typed[code]?.trim() ?? ''
  return decimalPattern.test(text) && parseDecimal(text) === parseDecimal(to)
}

/** Returns the typed rates to send, or an empty object if none has to be typed. */
export function ratesIn({ changes, typed }: Confirmation): { confirmedRates?: Record<string, string> } {
  const rates = changes.filter((each) => isTyped(each, typed)).map(({ code, to }) => [code, to] as const)
  return rates.length > 0 ? { confirmedRates: Object.fromEntries(rates) } : {}
}

/** Each large rate change with its percentage, and a field to type the rate again. */
export function ConfirmRates({
  changes,
  typed,
  isChecked,
  onTyped,
  nameOf = (code) => code,
}: {
  changes: readonly RateChange[]
  typed: TypedRates
  /** Whether errors are shown. */
  isChecked: boolean
  onTyped: (typed: TypedRates) => void
  /** The name of a payment method, by the code of its rate. */
  nameOf?: ((code: string) => string) | undefined
}) {
  const { t } = useMessages()
  if (changes.length === 0) return null
  return (
    <Message kind="note">
      {changes.map((change) => {
        const { code, to, percent } = change
        const from = change.from ?? ''
        const name = nameOf(code)
        return (
          <div key={code} className={styles.confirmRate}>
            <p>
              {percent === null
                ? t('consoleSale.rate.otherCoin', { code: name, from, to })
                : t('consoleSale.rate.jumps', { code: name, from, to, percent: formatPercent(percent) })}
            </p>
            <TextField
              label={t('consoleSale.rate.type', { code: name })}
              help={t('consoleSale.rate.type.help', { to })}
              error={
                isChecked && !isTyped(change, typed) ? t('consoleSale.rate.type.wrong', { to }) : undefined
              }
              value={typed[code] ?? ''}
              inputMode="decimal"
              autoComplete="off"
              onChange={({ target }) => onTyped({ ...typed, [code]: target.value })}
            />
          </div>
        )
      })}
    </Message>
  )
}
