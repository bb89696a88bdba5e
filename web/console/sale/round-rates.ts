import { isSameRate, percentBetween, type RateChange } from '#contract/money/flat-sale.ts'
import type { SaleRound } from '#contract/money/sale-rounds.ts'
import type { SaleSettings } from '#contract/money/sale.ts'

const startOf = ({ opensAt }: SaleRound) => (opensAt === null ? 0 : Date.parse(opensAt))

/**
 * The prices of a round that change. Each is compared with the price of the round before, for a new round with that of
 * the round that opens before it, otherwise with the price of the sale.
 */
export function roundRateChanges(settings: SaleSettings, round: SaleRound): RateChange[] {
  const before = settings.rounds.find(({ id }) => id === round.id)
  const earlier = settings.rounds
    .filter((each) => each.id !== round.id && startOf(each) < startOf(round))
    .toSorted((a, b) => startOf(b) - startOf(a))
  return round.prices.flatMap(({ code, rate: to }): RateChange[] => {
    const priceIn = (each: SaleRound | undefined) => each?.prices.find((price) => price.code === code)?.rate
    const from =
      priceIn(before) ??
      (before ? undefined : priceIn(earlier[0])) ??
      settings.payMethods.find((method) => method.code === code)?.rate
    if (from !== undefined && isSameRate(from, to)) return []
    const percent = from === undefined ? null : percentBetween(from, to)
    return [{ code: `${round.id}/${code}`, from: from ?? null, to, percent }]
  })
}
