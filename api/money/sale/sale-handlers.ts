import type { api } from '#contract/api.ts'
import { HOUR } from '#contract/platform/durations.ts'
import { transaction } from '../../platform/db/database.ts'
import { methodPath, nameRate } from '#contract/money/flat-sale.ts'
import type { PayMethodSettings } from '#contract/money/sale.ts'
import { addressNoticeHours } from '#contract/money/sale-proposals.ts'
import { presentVersion } from '../../people/settings/present-version.ts'
import { listVersionsOfAddresses } from '../../people/settings/setting-version.queries.ts'
import type { Handler } from '../../platform/http/handler.ts'
import { readDisplayRates } from './display-rates.ts'
import { readSettings, readTerms } from './read-sale.ts'
import { findBarrier, isShown, presentNextRound, presentRoundTo } from './current-round.ts'
import { findCurrentRound, findNextRound, type RoundRow } from './rounds.queries.ts'
import { findSale, listPayMethods } from './sale.queries.ts'
import { periodOf } from './public-sale.ts'
import { saveSale } from './save-sale.ts'

export const getSale: Handler<typeof api.getSale> = async (_, { db, config, content, caller }) => {
  const stored = await findSale(db)
  const isSelling = stored?.is_selling ?? false
  const { quoteMinutes, payMethods } = await readTerms(db)
  const round = isSelling ? await findCurrentRound(db) : undefined
  const why = round ? await findBarrier(db, round, caller.memberId) : null
  const next = stored?.is_open ? await findNextRound(db) : undefined
  return {
    isOpen: isSelling,
    quoteMinutes,
    ...periodOf(stored),
    payHours: config.orderPayTime / HOUR,
    payMethods: isSelling
      ? payMethods.filter((method) => method.isOpen).map((method) => atRoundPrice(method, round))
      : [],
    displayRates: readDisplayRates(content),
    round: round && isShown(round) ? await presentRoundTo(db, round, caller.memberId) : null,
    next: next ? presentNextRound(next, await listPayMethods(db)) : null,
    isAdmitted: why === null,
    why,
  }
}

/** The method at the price and with the limits of the round. */
function atRoundPrice(method: PayMethodSettings, round: RoundRow | undefined): PayMethodSettings {
  const price = round?.prices.find(({ code }) => code === method.code)
  return price ? { ...method, ...price } : method
}

export const getSaleSettings: Handler<typeof api.getSaleSettings> = (_, { db, config }) =>
  readSettings(db, config)

export const updateSaleSettings: Handler<typeof api.updateSaleSettings> = async ({ body }, context) => {
  const { lastUpdated, confirmedRates, ...rest } = body
  const {
    sold: _sold,
    proposal: _proposal,
    takesTwo: _takesTwo,
    rateChangePercent: _percent,
    rateReferences: _references,
    ...given
  } = rest
  const of = { lastUpdated, confirmedRates }
  return transaction(context.db, async (db) => (await saveSale(db, context, given, of)).settings)
}

export const listAddressChanges: Handler<typeof api.listAddressChanges> = async (_, { db }) => {
  const versions = await listVersionsOfAddresses(db, addressNoticeHours * HOUR)
  const terms = await readTerms(db)
  return versions.map(presentVersion).flatMap(({ id, at, by, confirmedBy, changes }) =>
    changes.flatMap(({ path, from, to }) => {
      const method = methodPath(path)
      const field = method?.field
      if (!method || to === null || (field !== 'receivingAddress' && field !== 'rate')) return []
      const change = { code: nameRate(method.code, terms, 'en'), field, from: from ?? '', to }
      return [{ id: `${id} ${path}`, ...change, at, by, confirmedBy }]
    }),
  )
}
