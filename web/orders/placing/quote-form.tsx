import * as z from 'zod/mini'
import { createQuote, type Sale } from '#contract/money/sale.ts'
import { requiredAddressOn, tokenBeginnings } from '../../kernel/forms/chain-address.ts'
import { FormFrame } from '../../kernel/forms/form-frame.tsx'
import { FormInput, FormSelect } from '../../kernel/forms/form-input.tsx'
import { FormLongText } from '../../kernel/forms/long-text.tsx'
import { useContractForm } from '../../kernel/forms/use-contract-form.ts'
import { useMessages, type UsedMessages } from '../../kernel/i18n/messages.tsx'
import { formatDecimal } from '../../kernel/i18n/format-decimal.ts'
import styles from './placing.module.css'
import { typedAmount, typedFrom } from '../../kernel/typed-amount.ts'
import { locale } from '../../kernel/i18n/language.ts'
import type { Language } from '#contract/platform/languages.ts'

const { payMethod } = createQuote.body.shape
const wantedOrder = z.object({ payMethod, amount: typedAmount, fabAddress: requiredAddressOn('token') })
export type Wanted = z.infer<typeof wantedOrder>

/** Requests a quote. The limits of the selected method are shown at the amount; the server enforces them. */
export function QuoteForm({
  sale,
  before,
  onAsk,
}: {
  sale: Sale
  before: Wanted | undefined
  onAsk: (wanted: Wanted) => Promise<void>
}) {
  const { t, language } = useMessages()
  const only = sale.payMethods.length === 1 ? sale.payMethods[0]?.code : undefined
  const quoteForm = useContractForm({
    schema: wantedOrder,
    labels: {
      payMethod: 'orders.place.payMethod',
      amount: 'orders.place.amount',
      fabAddress: 'orders.fabAddress',
    },
    defaultValues: before
      ? { ...before, amount: typedFrom(before.amount) }
      : { payMethod: only ?? '', amount: '', fabAddress: '' },
    submit: onAsk,
  })
  const method = sale.payMethods.find(({ code }) => code === quoteForm.values.payMethod)
  return (
    <div className={styles.form}>
      <FormFrame
        of={quoteForm}
        submitLabel={t('orders.place.quote')}
        busyLabel={t('orders.place.quoting')}
        label={t('orders.place.heading')}
      >
        <FormSelect of={quoteForm} name="payMethod">
          <option value="">{t('orders.place.payMethod.choose')}</option>
          {sale.payMethods.map(({ code }) => (
            <option key={code} value={code}>
              {code}
            </option>
          ))}
        </FormSelect>
        <FormInput
          of={quoteForm}
          name="amount"
          autoComplete="off"
          help={method ? amountHelp({ t, language }, method) : t('orders.place.amount.chooseFirst')}
        />
        <FormLongText of={quoteForm} name="fabAddress" help={tokenAddressHelp({ t, language })} />
      </FormFrame>
    </div>
  )
}

/** The rate and the limits of a payment method. */
const amountHelp = (
  { t, language }: Pick<UsedMessages, 't' | 'language'>,
  { currency, rate, minAmount, maxAmount }: Sale['payMethods'][number],
): string =>
  t('orders.place.amount.help', {
    method: currency,
    rate: formatDecimal(rate, language),
    min: formatDecimal(minAmount, language),
    max: formatDecimal(maxAmount, language),
  })

/** Joins alternatives in Latin letters. `Intl` leaves out the spaces between Han and Latin characters. */
const joinChoices = (choices: readonly string[], language: Language): string =>
  new Intl.ListFormat(locale[language], { type: 'disjunction' })
    .format(choices)
    .replaceAll(/(?<=[\w.])(?=\p{Script=Han})|(?<=\p{Script=Han})(?=\w)/gu, ' ')

/** Help text for fields with an address of the project's own chain, for an order that is completed or not. */
export function tokenAddressHelp(
  { t, language }: Pick<UsedMessages, 't' | 'language'>,
  isCompleted = false,
): string {
  const help = isCompleted ? 'deliveries.address.help' : 'orders.fabAddress.help'
  if (tokenBeginnings.length === 0) return t(help)
  return t(`${help}.begins`, { beginnings: joinChoices(tokenBeginnings, language) })
}
