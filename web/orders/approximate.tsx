import type { DisplayRate } from '#contract/money/display-rates.ts'
import { locale } from '../kernel/i18n/language.ts'
import { useMessages } from '../kernel/i18n/messages.tsx'
import { readItem, writeItem } from '../kernel/state/browser-storage.ts'
import { createStore, useStore } from '../kernel/state/create-store.ts'
import { Select } from '../kernel/ui/field.tsx'
import styles from './approximate.module.css'

const stored = 'display-currency'
/** The currency that the reader chose in this browser. Empty without a choice. */
const chosen = createStore(readItem('localStorage', stored) ?? '')

function choose(currency: string): void {
  writeItem('localStorage', stored, currency || null)
  chosen.set(currency)
}

type Rates = { rates: readonly DisplayRate[] }

/** Lets the reader choose a currency, if the operator has entered rates. */
export function CurrencyChoice({ rates }: Rates) {
  const { t, formatDate } = useMessages()
  const currency = useStore(chosen)
  if (rates.length === 0) return null
  const currencies = [...new Set(rates.map((rate) => rate.currency))]
  // The date of the oldest rate, so that no rate seems newer than it is.
  const [oldest] = rates
    .filter((rate) => rate.currency === currency)
    .map(({ date }) => date)
    .toSorted()
  return (
    <div className={styles.choice}>
      <Select
        label={t('orders.approximate.choose')}
        help={oldest === undefined ? undefined : t('orders.approximate.help', { date: formatDate(oldest) })}
        value={currencies.includes(currency) ? currency : ''}
        onChange={({ target }) => choose(target.value)}
      >
        <option value="">{t('orders.approximate.none')}</option>
        {currencies.map((code) => (
          <option key={code} value={code}>
            {code}
          </option>
        ))}
      </Select>
    </div>
  )
}

type AmountProps = Rates & {
  /** A plain decimal; null if it is unknown. */
  amount: string | null
  unit: string
  /** Whether to show the date of the rate. Needed where no currency choice is nearby to state it. */
  isDated?: boolean
}

/** The approximate value of an amount in the chosen currency, next to the exact amount. */
export function Approximately({ amount, unit, rates, isDated = false }: AmountProps) {
  const { t, language, formatDate } = useMessages()
  const currency = useStore(chosen)
  const rate = rates.find((each) => each.unit === unit && each.currency === currency)
  if (!rate || amount === null || unit === currency) return null
  const worth = Number(amount) * Number(rate.value)
  const shown = new Intl.NumberFormat(locale[language], { style: 'currency', currency }).format(worth)
  return (
    <span className={styles.amount}>
      {isDated
        ? t('orders.approximate.dated', { amount: shown, date: formatDate(rate.date) })
        : t('orders.approximate', { amount: shown })}
    </span>
  )
}
