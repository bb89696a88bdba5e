import { parseDecimal } from '#contract/platform/decimal.ts'
import { isBeyondPercent, type RateChange } from '#contract/money/flat-sale.ts'
import type { SaleTerms } from '#contract/money/sale.ts'
import { Refused } from '../../platform/refused.ts'

/**
 * Rejects a rate that changes a lot unless it is entered twice: otherwise, tokens would be sold at a mistyped rate
 * before anyone noticed.
 */
export function requireConfirmedRates(
  after: Pick<SaleTerms, 'payMethods' | 'rounds'>,
  changes: readonly RateChange[],
  confirmed: Readonly<Record<string, string>>,
  percentMax: number,
): void {
  const isConfirmed = ({ code, to }: RateChange) =>
    Object.hasOwn(confirmed, code) && parseDecimal(confirmed[code]!) === parseDecimal(to)
  const missing = changes.filter((change) => isBeyondPercent(change, percentMax) && !isConfirmed(change))
  if (missing.length === 0) return
  throw new Refused('validation_failed', {
    fields: missing.map(({ code, from, to, percent }) => ({
      path: pathOf(after, code),
      code: 'confirm_rate',
      values: {
        from: from ?? '',
        to,
        percent: percent === null ? '?' : `${percent.startsWith('-') ? '' : '+'}${percent}%`,
      },
    })),
  })
}

function pathOf({ payMethods, rounds = [] }: Pick<SaleTerms, 'payMethods' | 'rounds'>, code: string): string {
  const round = rounds.findIndex(({ id }) => code.startsWith(`${id}/`))
  if (round === -1) return `payMethods.${payMethods.findIndex((method) => method.code === code)}.rate`
  const { id, prices } = rounds[round]!
  const price = prices.findIndex((each) => `${id}/${each.code}` === code)
  // A removed price, or that of the sale in a new round.
  return price === -1 ? `rounds.${round}.prices` : `rounds.${round}.prices.${price}.rate`
}
