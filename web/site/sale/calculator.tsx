import { useEffect, useRef, useState, type RefObject } from 'react'
import type { PublicPayMethod } from '#contract/money/public-sale.ts'
import type { BonusTier } from '#contract/money/round-bonus.ts'
import { formatDecimal } from '../../kernel/i18n/format-decimal.ts'
import { SentenceSpace, useMessages, type UsedMessages } from '../../kernel/i18n/messages.tsx'
import { typedFrom } from '../../kernel/typed-amount.ts'
import { Select, TextField } from '../../kernel/ui/field.tsx'
import { Table } from '../../kernel/ui/table.tsx'
import {
  calculate,
  firstAmount,
  listExamples,
  type Calculated,
  type Given,
  type Problem,
} from './calculate.ts'
import styles from './sale.module.css'

/** Converts an amount to a quantity, or back, during typing. Without JavaScript, a table of examples replaces it. */
export function Calculator({
  methods,
  bonus = [],
}: {
  methods: readonly [PublicPayMethod, ...PublicPayMethod[]]
  /** The bonus tiers of the current round. */
  bonus?: readonly BonusTier[]
}) {
  const { t, language } = useMessages()
  const [code, setCode] = useState(methods[0].code)
  const method = methods.find((each) => each.code === code) ?? methods[0]
  const [given, setGiven] = useState<Given>({ field: 'amount', text: firstAmount(method) })
  const place = useServedInput(methods, (chosen, typed) => {
    setCode(chosen.code)
    setGiven(typed ?? { field: 'amount', text: firstAmount(chosen) })
  })
  const found = calculate(method, given, bonus)
  const result = found && 'amount' in found ? found : null
  const problem = found && 'problem' in found ? messageOf({ t, language }, found) : undefined

  const choose = (next: PublicPayMethod) => {
    setCode(next.code)
    setGiven({ field: 'amount', text: firstAmount(next) })
  }
  const field = (name: Given['field']) => ({
    value: given.field === name ? given.text : result ? typedFrom(result[name]) : '',
    error: given.field === name ? problem : undefined,
    inputMode: 'decimal' as const,
    autoComplete: 'off',
    maxLength: 39,
    onChange: ({ target }: { target: { value: string } }) => setGiven({ field: name, text: target.value }),
  })
  return (
    <>
      <noscript>
        <Examples methods={methods} bonus={bonus} />
      </noscript>
      <div className={styles.calculator} ref={place}>
        {methods.length > 1 && (
          <Select
            label={t('sale.calculator.method')}
            value={method.code}
            onChange={({ target }) => choose(methods.find((each) => each.code === target.value) ?? method)}
          >
            {methods.map((each) => (
              <option key={each.code} value={each.code}>
                {each.code}
              </option>
            ))}
          </Select>
        )}
        <TextField label={t('sale.calculator.amount', { currency: method.currency })} {...field('amount')} />
        <TextField label={t('sale.calculator.quantity')} {...field('quantity')} />
        <p className={styles.result} role="status">
          {result && <Result of={result} currency={method.currency} />}
        </p>
      </div>
    </>
  )
}

function Result({ of, currency }: { of: Calculated; currency: string }) {
  const { t, language } = useMessages()
  const { amount, quantity, bonusPercent } = of
  return (
    <>
      {t('sale.calculator.result', {
        amount: formatDecimal(amount, language),
        currency,
        quantity: formatDecimal(quantity, language),
      })}
      {bonusPercent !== '0' && (
        <>
          <SentenceSpace />
          {t('sale.calculator.bonus', { percent: formatDecimal(bonusPercent, language) })}
        </>
      )}
    </>
  )
}

/** Reports what was chosen or typed before hydration, once. Returns a reference for the element around the fields. */
function useServedInput(
  methods: readonly PublicPayMethod[],
  adopt: (chosen: PublicPayMethod, typed: Given | undefined) => void,
): RefObject<HTMLDivElement | null> {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const code = place.current?.querySelector('select')?.value
    const chosen = methods.find((each) => each.code === code) ?? methods[0]
    const fields = [...(place.current?.querySelectorAll<HTMLInputElement>('input') ?? [])]
    const at = fields.findIndex(({ value, defaultValue }) => value !== defaultValue)
    const typed = at < 0 ? undefined : { field: at === 0 ? 'amount' : 'quantity', text: fields[at]!.value }
    if (chosen && (typed || chosen !== methods[0])) adopt(chosen, typed as Given | undefined)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only the first page has such input
  }, [])
  return place
}

function messageOf(
  { t, language }: Pick<UsedMessages, 't' | 'language'>,
  { problem, bound }: Problem,
): string {
  if (problem === 'number') return t('field.number')
  // Without grouping separators, because the reader should type it this way.
  if (problem === 'ambiguous_number') return t('field.ambiguous_number', { max: bound })
  if (problem === 'too_little') return t('field.too_little', { min: formatDecimal(bound, language) })
  return t(`field.${problem}`, { max: formatDecimal(bound, language) })
}

type Example = Calculated & { currency: string }

function Examples({ methods, bonus }: { methods: readonly PublicPayMethod[]; bonus: readonly BonusTier[] }) {
  const { t, language } = useMessages()
  const rows = methods.flatMap((method) =>
    listExamples(method, bonus).map((each): Example => ({ ...each, currency: method.currency })),
  )
  return (
    <Table
      caption={t('sale.examples')}
      columns={[
        {
          name: 'pay',
          heading: t('sale.examples.pay'),
          cell: ({ amount, currency }: Example) => `${formatDecimal(amount, language)} ${currency}`,
          isFigure: true,
        },
        {
          name: 'get',
          heading: t('sale.examples.get'),
          cell: ({ quantity }: Example) =>
            t('sale.price.tokens', { rate: formatDecimal(quantity, language) }),
          isFigure: true,
        },
      ]}
      rows={rows}
      rowKey={({ amount, currency }) => `${currency} ${amount}`}
    />
  )
}
