import { parseDecimal, parseNumber, writeDecimal } from '#contract/decimal.ts'

type Counted = { status: string; fabQty: number | null; exactFabQty?: string | null }

/** Whether an order counts: it is completed, in any letter case, and its quantity is a number. */
export const countsTowardsTotal = (order: Counted): boolean =>
  order.status.toLowerCase() === 'completed' &&
  typeof order.fabQty === 'number' &&
  Number.isFinite(order.fabQty)

/** Returns the exact sum of the quantities that count, as a plain decimal such as `1200.5`. */
export const orderTotal = (orders: readonly Counted[]): string =>
  writeDecimal(orders.filter(countsTowardsTotal).reduce((sum, order) => sum + quantityOf(order), 0n))

/** The text keeps digits that a JavaScript number would lose. */
const quantityOf = ({ exactFabQty, fabQty }: Counted): bigint =>
  exactFabQty ? parseDecimal(exactFabQty) : parseNumber(fabQty ?? 0)
