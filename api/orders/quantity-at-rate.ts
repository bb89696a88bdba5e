import {
  isBeyondTolerance,
  multiplyDown,
  parseDecimal,
  tokenPlaces,
  writeDecimal,
} from '#contract/decimal.ts'
import type { Config } from '../config.ts'
import type { Tx } from '../db/database.ts'
import { refusedField } from '../refused.ts'
import { findPayMethod } from '../sale/sale.queries.ts'
import type { OrderChange, OrderRow } from './order.queries.ts'
import type { Change } from './plan-change.ts'

type Tolerance = Pick<Config, 'orderTolerance'>

/** Returns the rate of the sale for a payment method; undefined if the sale has no such method. */
export const findSaleRate = async (db: Tx, payMethod: string): Promise<string | undefined> =>
  payMethod === '' ? undefined : (await findPayMethod(db, payMethod))?.rate

function isBought({ orderTolerance }: Tolerance, amount: string, rate: string, fabQty: string): boolean {
  const bought = multiplyDown(parseDecimal(amount), parseDecimal(rate), tokenPlaces)
  return !isBeyondTolerance(orderTolerance, fabQty, writeDecimal(bought))
}

/** Returns the quoted rate, or that of the sale if there was no quote or the payment method changes. */
export const findRate = async (
  db: Tx,
  stored: Pick<OrderRow, 'rate' | 'pay_method'>,
  { payMethod }: OrderChange,
): Promise<string | undefined> =>
  (payMethod === undefined ? stored.rate : null) ?? (await findSaleRate(db, payMethod ?? stored.pay_method))

/**
 * Requires confirmation if the quantity differs from what the amount buys at the quoted rate, or at the rate of the
 * sale if there was no quote or the payment method changes. The same amount of another coin buys a different quantity.
 * A quoted order that gets a method without a rate always needs confirmation.
 */
export async function requireQuantityAtRate(
  db: Tx,
  config: Tolerance,
  stored: OrderRow,
  { change, confirmsQuantity }: Pick<Change, 'confirmsQuantity'> & { change: OrderChange },
): Promise<void> {
  const isChanged = (['amount', 'fabQty', 'payMethod'] as const).some((name) => change[name] !== undefined)
  if (!isChanged || confirmsQuantity) return
  const { amount = stored.amount, fabQty = stored.fab_qty } = change
  if (amount === null || fabQty === null) return
  const rate = await findRate(db, stored, change)
  const isMet = rate === undefined ? stored.rate === null : isBought(config, amount, rate, fabQty)
  if (!isMet) throw refusedField('fabQty', 'differs_from_rate')
}

/** Requires a reason if an entered quantity differs from what the amount buys in the sale. */
export async function requireReasonOffRate(
  db: Tx,
  config: Tolerance,
  { amount = null, fabQty = null, payMethod = '' }: OrderChange,
): Promise<void> {
  if (amount === null || fabQty === null) return
  const rate = await findSaleRate(db, payMethod)
  if (rate !== undefined && !isBought(config, amount, rate, fabQty)) throw refusedField('reason', 'required')
}
