import { parseDecimal } from '#contract/decimal.ts'
import { decimalPattern } from '#contract/fields.ts'
import type { RateChange } from '#contract/flat-sale.ts'
import { useWords } from '../../i18n/words.tsx'
import { TextField } from '../../ui/field.tsx'
import { Message } from '../../ui/form-status.tsx'
import { percentWords } from './percent-words.ts'

export type TypedRates = Readonly<Record<string, string>>

/** Whether a rate was typed as it is to be. */
export const isTyped = ({ code, to }: RateChange, typed: TypedRates): boolean => {
  const text = typed[code]?.trim() ?? ''
  return decimalPattern.test(text) && parseDecimal(text) === parseDecimal(to)
}

/** What was typed, as it is sent; nothing where nothing has to be typed. */
export function ratesIn(
  changes: readonly RateChange[],
  typed: TypedRates,
): { confirmedRates?: Record<string, string> } {
  const rates = changes.filter((each) => isTyped(each, typed)).map(({ code, to }) => [code, to] as const)
  return rates.length > 0 ? { confirmedRates: Object.fromEntries(rates) } : {}
}

/** Each rate that changes much, by how much, and a field to type it once more. */
export function ConfirmRates({
  changes,
  typed,
  isChecked,
  onTyped,
}: {
  changes: readonly RateChange[]
  typed: TypedRates
  /** Whether to show what is missing. */
  isChecked: boolean
  onTyped: (typed: TypedRates) => void
}) {
  const { t } = useWords()
  if (changes.length === 0) return null
  return (
    <Message kind="note">
      {changes.map((change) => {
        const { code, from, to, percent } = change
        return (
          <div key={code}>
            <p>
              {percent === null
                ? t('consoleSale.rate.otherCoin', { code, from, to })
                : t('consoleSale.rate.jumps', { code, from, to, percent: percentWords(percent) })}
            </p>
            <TextField
              label={t('consoleSale.rate.type', { code })}
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
