import brand from '#content/brand.json' with { type: 'json' }
import { shortDecimal } from '#contract/platform/decimal.ts'
import { currencyOf, type Order } from '#contract/money/orders.ts'
import type { OrderRow } from './order.queries.ts'

export const presentOrder = (row: OrderRow): Order => ({
  _id: row.id,
  memberId: row.member_id,
  email: row.email,
  ethAddress: row.eth_address,
  btcAddress: row.btc_address,
  fabAddress: row.fab_address,
  payMethod: row.pay_method,
  amount: row.amount === null ? null : Number(row.amount),
  fabQty: row.fab_qty === null ? null : Number(row.fab_qty),
  status: row.status,
  exactAmount: row.amount === null ? null : shortDecimal(row.amount),
  exactFabQty: row.fab_qty === null ? null : shortDecimal(row.fab_qty),
  rate: row.rate === null ? null : shortDecimal(row.rate),
  reference: shownReference(row.reference),
  txId: row.tx_id,
  currency: currencyOfOrder(row),
  payBefore: row.pay_before?.toISOString() ?? null,
  reportedLate: row.is_reported_late,
  disputed: row.is_disputed,
  sharesTransaction: row.is_tx_shared,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
})

export const currencyOfOrder = ({ currency, pay_method }: OrderRow): string =>
  currency ?? currencyOf(pay_method)

/** Formats a reference, for example `ABC-1A2B3-C4D5E`: in two halves, so that it can be read aloud. */
export const shownReference = (reference: string): string =>
  `${brand.ticker}-${reference.slice(0, 5)}-${reference.slice(5)}`

/** Returns the ten stored digits of a reference, given as displayed or as stored; undefined for anything else. */
export function readReference(text: string): string | undefined {
  const prefix = `${brand.ticker.toUpperCase()}-`
  const given = text.trim().toUpperCase()
  const digits = (given.startsWith(prefix) ? given.slice(prefix.length) : given).replace('-', '')
  return /^[\dA-F]{10}$/.test(digits) ? digits : undefined
}
