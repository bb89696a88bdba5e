import type { Delivery } from '#contract/money/deliveries.ts'
import { parseDecimal, writeDecimal } from '#contract/platform/decimal.ts'
import { isOpen } from './delivery-labels.ts'

/** The earliest delivery that was not paid out yet, if there is one. */
export const nextDeliveryOf = <D extends Delivery>(deliveries: readonly D[]): D | undefined =>
  deliveries
    .filter(isOpen)
    .toSorted((a, b) => Date.parse(a.dueAt) - Date.parse(b.dueAt) || a.tranche - b.tranche)[0]

/** The exact sums of what was sent and of what isn't due yet. */
export function sumsOf(deliveries: readonly Delivery[]): { delivered: string; locked: string } {
  const sum = (...states: Delivery['state'][]) =>
    writeDecimal(
      deliveries.reduce(
        (total, each) => (states.includes(each.state) ? total + parseDecimal(each.amount) : total),
        0n,
      ),
    )
  return { delivered: sum('sent', 'confirmed'), locked: sum('scheduled') }
}
