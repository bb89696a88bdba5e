import { DAY } from '#contract/platform/durations.ts'
import { isBeyondPercent, rateChanges, saleOfFlat, type Priced } from '#contract/money/flat-sale.ts'
import type { SaleRound } from '#contract/money/sale-rounds.ts'
import type { FlatSettings } from '#contract/people/settings.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Tx } from '../../platform/db/database.ts'
import { listRateReferences, listVersionsOfSale } from '../../people/settings/setting-version.queries.ts'

type Placed = { method: Priced; roundId: string | null; placedAt: Date }

/**
 * Whether the order was placed within a day of a change to its price that is large enough to be typed twice: its rate
 * is far from one that was in force during the day before, whatever the code of its coin.
 */
export async function isAtNewPrice(
  db: Tx,
  { rateChangePercent }: Pick<Config, 'rateChangePercent'>,
  { method, roundId, placedAt }: Placed,
): Promise<boolean> {
  const age = Date.now() - placedAt.getTime() + DAY
  const versions = (await listVersionsOfSale(db, age)).filter(({ at }) => at <= placedAt)
  if (versions.length === 0) return false
  const references = await listRateReferences(db, age)
  const inForce = [versions[0]!.before, ...versions.map(({ after }) => after)].map((settings) =>
    saleOfFlat(settings as FlatSettings),
  )
  const round = inForce
    .flatMap(({ rounds = [] }) => rounds)
    .findLast((each) => hasPrice(each, roundId, method))
  const ordered = { payMethods: [method], ...(round && { rounds: [atRate(round, method)] }) }
  const code = round ? `${round.id}/${method.code}` : method.code
  return inForce.some((settings) =>
    rateChanges(settings, ordered, references).some(
      (change) => change.code === code && isBeyondPercent(change, rateChangePercent),
    ),
  )
}

const hasPrice = ({ id, prices }: SaleRound, roundId: string | null, method: Priced): boolean =>
  id === roundId && prices.some(({ code }) => code === method.code)

const atRate = (round: SaleRound, { code, rate }: Priced): SaleRound => ({
  ...round,
  prices: round.prices.filter((price) => price.code === code).map((price) => ({ ...price, rate })),
})
