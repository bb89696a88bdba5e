import type { Delivery, DeliveryState, OrderDeliveries } from '#contract/money/deliveries.ts'
import { parseDecimal, writeDecimal } from '#contract/platform/decimal.ts'

type Standing = Delivery & { state: Exclude<DeliveryState, 'cancelled'> }

const isStanding = (delivery: Delivery): delivery is Standing => delivery.state !== 'cancelled'

const byDue = (a: Delivery, b: Delivery): number =>
  Date.parse(a.dueAt) - Date.parse(b.dueAt) || a.tranche - b.tranche

/** The deliveries that were not canceled, the first due first. */
export const standingOf = (deliveries: readonly Delivery[]): Standing[] =>
  deliveries.filter(isStanding).toSorted(byDue)

/** The delivery that says most about an order: the earliest that hasn't arrived, or else the last that has. */
export function currentDeliveryOf(deliveries: readonly Delivery[]): Standing | undefined {
  const standing = standingOf(deliveries)
  return standing.find(({ state }) => state !== 'confirmed') ?? standing.at(-1)
}

const sumOf = (deliveries: readonly Delivery[]): string =>
  writeDecimal(deliveries.reduce((sum, { amount }) => sum + parseDecimal(amount), 0n))

export type DeliverySums = Pick<OrderDeliveries, 'bought' | 'delivered' | 'dueNext' | 'locked'>

/** Sums deliveries as the server does for an order. */
export function sumsOf(deliveries: readonly Delivery[]): DeliverySums {
  const standing = standingOf(deliveries)
  const unsent = standing.filter(({ state }) => state !== 'confirmed' && state !== 'sent')
  const dueAt = unsent[0]?.dueAt
  return {
    bought: sumOf(standing),
    delivered: sumOf(standing.filter(({ state }) => state === 'confirmed')),
    dueNext:
      dueAt === undefined ? null : { amount: sumOf(unsent.filter((each) => each.dueAt === dueAt)), dueAt },
    locked: sumOf(standing.filter(({ state }) => state === 'scheduled')),
  }
}

const shownMax = 12
const shownBefore = 2

/**
 * Which of many deliveries to show at first: from the index `first`, up to 12, beginning shortly before the one that is
 * next.
 */
export function nearestOf(deliveries: readonly Pick<Delivery, 'state'>[]): { first: number; end: number } {
  const { length } = deliveries
  const current = deliveries.findIndex(({ state }) => state !== 'confirmed' && state !== 'cancelled')
  const wanted = current === -1 ? length : current - shownBefore
  const first = Math.max(0, Math.min(wanted, length - shownMax))
  return { first, end: Math.min(length, first + shownMax) }
}
