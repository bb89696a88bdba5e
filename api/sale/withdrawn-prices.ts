import { DAY, MINUTE } from '#contract/durations.ts'
import { isBeyondPercent, percentBetween } from '#contract/flat-sale.ts'
import type { SaleTerms } from '#contract/sale.ts'
import type { SettingChange } from '#contract/settings.ts'
import type { Config } from '../config.ts'
import type { Tx } from '../db/database.ts'
import { listVersionsOfRates } from '../settings/setting-version.queries.ts'
import { insertWithdrawnPrice } from './withdrawn-price.queries.ts'

/** A price that is taken back this long after it was set was a mistake rather than a price. */
const takenBackWithin = DAY
/** A quote may be made while the change waits to be committed. */
const slack = MINUTE

/**
 * Notes the prices of the last day that the settings, which are kept already, take back: those that are reverted to what was
 * there before them, and those that were far from the price a day ago and are replaced by one far from them. Orders at such a price are flagged, also those that are
 * placed afterwards with a quote that still holds.
 */
export async function noteWithdrawnPrices(
  db: Tx,
  { rateChangePercent }: Pick<Config, 'rateChangePercent'>,
  before: SaleTerms,
  { payMethods }: Pick<SaleTerms, 'payMethods'>,
): Promise<void> {
  const versions = await listVersionsOfRates(db, takenBackWithin)
  for (const { code, rate } of payMethods) {
    const path = `${code}.rate`
    const history = versions.flatMap(({ at, changes }) => {
      const change = (changes as SettingChange[]).find((each) => each.path === path)
      return change?.to ? [{ at, from: change.from, to: change.to }] : []
    })
    const dayBefore = history[0]?.from ?? null
    for (const [index, { at, from, to }] of history.entries()) {
      const next = history[index + 1]
      if (!next || to === rate || to === dayBefore) continue
      const isFarOff = isFar(dayBefore, to, rateChangePercent) && isFar(to, rate, rateChangePercent)
      if (from !== rate && !isFarOff) continue
      const until = next.at.getTime() + before.quoteMinutes * MINUTE + slack
      await insertWithdrawnPrice(db, { payMethod: code, rate: to, from: at, until: new Date(until) })
    }
  }
}

/** Without a price to compare with, any is far from it. */
const isFar = (from: string | null, to: string, limit: number): boolean =>
  from === null || isBeyondPercent({ from, to, percent: percentBetween(from, to) }, limit)
