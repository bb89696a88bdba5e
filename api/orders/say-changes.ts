import cn from '#content/messages/cn/console-orders.json' with { type: 'json' }
import en from '#content/messages/en/console-orders.json' with { type: 'json' }
import { shortDecimal } from '#contract/decimal.ts'
import type { Language } from '#contract/fields.ts'
import { fill } from '../fill.ts'
import type { OrderRow } from './order.queries.ts'

const words = { en, cn } satisfies Record<Language, Record<string, string>>

const decimalOrNull = (value: string | null): string | null => (value === null ? null : shortDecimal(value))

const said: readonly (readonly [label: keyof typeof en, of: (order: OrderRow) => string | null])[] = [
  ['consoleOrders.payMethod', (order) => order.pay_method],
  ['consoleOrders.amount', (order) => decimalOrNull(order.amount)],
  ['consoleOrders.quantity', (order) => decimalOrNull(order.fab_qty)],
  ['consoleOrders.fabAddress', (order) => order.fab_address],
  ['consoleOrders.ethAddress', (order) => order.eth_address],
  ['consoleOrders.btcAddress', (order) => order.btc_address],
  ['consoleOrders.email', (order) => order.email],
  ['consoleOrders.txId', (order) => order.tx_id],
]

const nothing = '–'

/** What a correction changed, for the member: each field with what stood there and what stands there now. Empty for nothing. */
export const sayChanges = (from: OrderRow, to: OrderRow, language: Language): string =>
  said
    .filter(([, of]) => of(from) !== of(to))
    .map(([label, of]) => {
      const name = fill(words[language][label])
      return `${name}: ${of(from) || nothing} → ${of(to) || nothing}`
    })
    .join('; ')
