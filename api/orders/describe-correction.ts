import en from '#content/messages/en/console-orders.json' with { type: 'json' }
import { shortDecimal } from '#contract/decimal.ts'
import type { Language } from '#contract/fields.ts'
import { describeChanges } from '../describe-changes.ts'
import { fill } from '../fill.ts'
import { formatMoment } from '../format-time.ts'
import { readTranslations } from '../read-translations.ts'
import type { OrderRow } from './order.queries.ts'
import { hasRecordedPayment } from './unpaid.ts'

const words = readTranslations('messages', en, 'console-orders')

const decimalOrNull = (value: string | null): string | null => (value === null ? null : shortDecimal(value))

const said: readonly (readonly [
  label: keyof typeof en,
  of: (order: OrderRow, language: Language) => string | null,
])[] = [
  ['consoleOrders.payMethod', (order) => order.pay_method],
  ['consoleOrders.amount', (order) => decimalOrNull(order.amount)],
  ['consoleOrders.quantity', (order) => decimalOrNull(order.fab_qty)],
  ['consoleOrders.fabAddress', (order) => order.fab_address],
  ['consoleOrders.ethAddress', (order) => order.eth_address],
  ['consoleOrders.btcAddress', (order) => order.btc_address],
  ['consoleOrders.email', (order) => order.email],
  ['consoleOrders.txId', (order) => order.tx_id],
  ['consoleOrders.step.paymentRecorded', (order) => (hasRecordedPayment(order) ? '✓' : null)],
  // What was received for a pending order is an internal record until someone completes it.
  [
    'consoleOrders.received',
    (order) => (order.status === 'completed' ? decimalOrNull(order.paid_amount) : null),
  ],
  [
    'consoleOrders.deadline',
    (order, language) => order.pay_before && formatMoment(order.pay_before, language),
  ],
]

/** Describes a correction for the member: each field with its value before and after. Empty if nothing changed. */
export const describeCorrection = (from: OrderRow, to: OrderRow, language: Language): string =>
  describeChanges(
    said
      .map(([label, of]) => ({
        name: fill(words(language)[label]),
        from: of(from, language),
        to: of(to, language),
      }))
      .filter((change) => change.from !== change.to),
    language,
  )
