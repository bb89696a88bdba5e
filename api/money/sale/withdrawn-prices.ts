import { DAY, MINUTE } from '#contract/platform/durations.ts'
import {
  isBeyondPercent,
  isSameCoin,
  isSameRate,
  percentBetween,
  ratesInForce,
  saleOfFlat,
  withRoundPrices,
} from '#contract/money/flat-sale.ts'
import type { PayMethodSettings, SaleTerms } from '#contract/money/sale.ts'
import type { FlatSettings } from '#contract/people/settings.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Tx } from '../../platform/db/database.ts'
import { listVersionsOfSale } from '../../people/settings/setting-version.queries.ts'
import {
  deleteWithdrawnPrice,
  insertWithdrawnPrice,
  listStoppedPrices,
  settleWithdrawnPrice,
} from './withdrawn-price.queries.ts'

/** A price withdrawn this soon after it was set, in milliseconds, counts as a mistake. */
const takenBackWithin = DAY
/** Allows for a quote made while the change waits to be committed, in milliseconds. */
const slack = MINUTE

/** The sale settings and the time in which they applied. */
type Moment = { at: Date; until: Date; sale: SaleTerms }
/** A rate set within the last day, the settings before it, and all settings since, starting with its own. */
type NewPrice = { method: PayMethodSettings; before: SaleTerms; since: readonly [Moment, ...Moment[]] }

/**
 * Records the prices of the last day that the new settings (already stored) withdraw: prices reverted to the previous
 * ones, prices far from the price a day ago that are replaced by one far from them, and provisionally, far-off prices
 * stopped by closing or removing the method. Prices are compared by coin, regardless of the method's code. Orders at
 * such a price are flagged, including those placed later with a quote that is still valid.
 */
export async function recordWithdrawnPrices(
  db: Tx,
  { rateChangePercent: limit }: Pick<Config, 'rateChangePercent'>,
  stored: SaleTerms,
): Promise<void> {
  const after = withRoundPrices(stored)
  const versions = await listVersionsOfSale(db, takenBackWithin)
  const [first] = versions
  if (!first) return
  const dayAgo = readVersion(first.before)
  const moments = versions.map(({ at, after }, index): Moment => ({
    at,
    until: versions[index + 1]?.at ?? new Date(),
    sale: readVersion(after),
  }))
  await reviewStoppedPrices(db, limit, after)
  const quoteMinutes = Math.max(dayAgo.quoteMinutes, ...moments.map(({ sale }) => sale.quoteMinutes))
  for (const price of listNewPrices(dayAgo, moments)) {
    const end = findEnd(price, { dayAgo, after, limit })
    if (!end) continue
    await insertWithdrawnPrice(db, {
      payMethod: price.method.code,
      rate: price.method.rate,
      from: price.since[0].at,
      until: new Date(end.at.getTime() + quoteMinutes * MINUTE + slack),
      isProvisional: end.isProvisional,
    })
  }
}

const readVersion = (settings: unknown): SaleTerms => withRoundPrices(saleOfFlat(settings as FlatSettings))

function listNewPrices(dayAgo: SaleTerms, moments: readonly Moment[]): NewPrice[] {
  return moments.flatMap((moment, index) => {
    const before = moments[index - 1]?.sale ?? dayAgo
    return moment.sale.payMethods
      .filter((method) => !hasPrice(before, method))
      .map((method): NewPrice => ({ method, before, since: [moment, ...moments.slice(index + 1)] }))
  })
}

type Compared = { dayAgo: SaleTerms; after: SaleTerms; limit: number }

/** Returns when a withdrawn price was last offered; undefined for all other prices. */
function findEnd(
  { method, before, since }: NewPrice,
  { dayAgo, after, limit }: Compared,
): { at: Date; isProvisional: boolean } | undefined {
  const references = ratesInForce(method, dayAgo.payMethods)
  const current = ratesInForce(method, after.payMethods)
  const isFarOff = references.every(({ rate }) => isFar(rate, method.rate, limit))
  const gone = since.find(({ sale }) => !hasPrice(sale, method))
  if (gone && current.length > 0) {
    if ([...current, ...references].some(({ rate }) => isSameRate(rate, method.rate))) return undefined
    const isReplaced = isFarOff && current.every(({ rate }) => isFar(method.rate, rate, limit))
    const previous = ratesInForce(method, before.payMethods)
    const isReverted = previous.some(({ rate }) => current.some((each) => isSameRate(each.rate, rate)))
    return isReplaced || isReverted ? { at: gone.at, isProvisional: false } : undefined
  }
  const stopped = since[since.findLastIndex((moment) => isOffered(moment, method)) + 1]
  // A new coin has no known price to compare with.
  if (!stopped || stopped === since[0] || references.length === 0 || !isFarOff) return undefined
  return { at: stopped.at, isProvisional: true }
}

/**
 * Reviews stopped prices when the coin is offered again: at about the same price the old one was right; at another
 * price, it was wrong.
 */
async function reviewStoppedPrices(db: Tx, limit: number, after: SaleTerms): Promise<void> {
  const at = new Date()
  const now = { at, until: at, sale: after }
  for (const stopped of await listStoppedPrices(db)) {
    const own = after.payMethods.find(({ code }) => code === stopped.pay_method)
    const offered = after.payMethods.filter(
      (method) =>
        isOffered(now, method) && (method.code === stopped.pay_method || (own && isSameCoin(method, own))),
    )
    if (offered.length === 0) continue
    if (offered.every(({ rate }) => isFar(stopped.rate, rate, limit))) await settleWithdrawnPrice(db, stopped)
    else await deleteWithdrawnPrice(db, stopped)
  }
}

const hasPrice = ({ payMethods }: SaleTerms, { code, rate }: PayMethodSettings): boolean =>
  payMethods.some((each) => each.code === code && isSameRate(each.rate, rate))

/** Whether the sale accepted orders with this method at this rate, which may be that of a round. */
function isOffered({ at, until, sale }: Moment, method: PayMethodSettings): boolean {
  const round = sale.rounds?.find(({ id }) => method.code.startsWith(`${id}/`))
  const isWithin = [sale, ...(round ? [round] : [])].every(
    ({ opensAt, closesAt }) =>
      (opensAt === null || Date.parse(opensAt) <= until.getTime()) &&
      (closesAt === null || Date.parse(closesAt) > at.getTime()),
  )
  const own = sale.payMethods.find(({ code }) => code === method.code)
  return sale.isOpen && isWithin && own?.isOpen === true && isSameRate(own.rate, method.rate)
}

const isFar = (from: string, to: string, limit: number): boolean =>
  isBeyondPercent({ from, to, percent: percentBetween(from, to) }, limit)
