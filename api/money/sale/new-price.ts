import { DAY } from '#contract/platform/durations.ts'
import {
  isBeyondPercent,
  rateChanges,
  saleOfFlat,
  withRoundPrices,
  type Priced,
} from '#contract/money/flat-sale.ts'
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
  const code = `${roundId}/${method.code}`
  const inForce = [versions[0]!.before, ...versions.map(({ after }) => after)].map((settings) =>
    withRoundPrices(saleOfFlat(settings as FlatSettings)),
  )
  // A price of a round is compared only with earlier ones of that round.
  const isOfRound = inForce.at(-1)!.payMethods.some((each) => each.code === code)
  const priced: Priced = isOfRound ? { ...method, code, chain: 'other', currency: code } : method
  return inForce.some((settings) =>
    rateChanges(settings, { payMethods: [priced] }, references).some((change) =>
      isBeyondPercent(change, rateChangePercent),
    ),
  )
}
