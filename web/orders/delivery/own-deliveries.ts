import type { Delivery, DeliveryState } from '#contract/money/deliveries.ts'
import { parseDecimal, writeDecimal } from '#contract/platform/decimal.ts'
import { isOpen } from './delivery-labels.ts'

/** The earliest delivery that is in no payout run yet, if there is one. */
export const nextDeliveryOf = (deliveries: readonly Delivery[]): Delivery | undefined =>
  deliveries.filter(isOpen).toSorted(byDue)[0]

type Standing = Delivery & { state: Exclude<DeliveryState, 'cancelled'> }

const isStanding = (delivery: Delivery): delivery is Standing => delivery.state !== 'cancelled'

/** The delivery that says most about an order: the earliest that hasn't arrived, or else the last that has. */
export function currentDeliveryOf(deliveries: readonly Delivery[]): Standing | undefined {
  const standing = deliveries.filter(isStanding).toSorted(byDue)
  return standing.find(({ state }) => state !== 'confirmed') ?? standing.at(-1)
}

const byDue = (a: Delivery, b: Delivery): number =>
  Date.parse(a.dueAt) - Date.parse(b.dueAt) || a.tranche - b.tranche

/** The exact sum of what was delivered. */
export const deliveredOf = (deliveries: readonly Delivery[]): string =>
  writeDecimal(
    deliveries.reduce(
      (sum, { state, amount }) => (state === 'confirmed' ? sum + parseDecimal(amount) : sum),
      0n,
    ),
  )
