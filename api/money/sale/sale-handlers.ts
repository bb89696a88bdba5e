import type { api } from '#contract/api.ts'
import { HOUR } from '#contract/platform/durations.ts'
import { transaction } from '../../platform/db/database.ts'
import { methodPath, nameRate } from '#contract/money/flat-sale.ts'
import { addressNoticeHours } from '#contract/money/sale-proposals.ts'
import { presentVersion } from '../../people/settings/present-version.ts'
import { listVersionsOfAddresses } from '../../people/settings/setting-version.queries.ts'
import type { Handler } from '../../platform/http/handler.ts'
import { readDisplayRates } from './display-rates.ts'
import { presentPayMethod, quoteMinutesDefault, readSettings, readTerms } from './read-sale.ts'
import { effectiveMethod, findBarrier, isShown, presentNextRound, presentRoundTo } from './current-round.ts'
import { findRoundsOf } from './rounds.queries.ts'
import { findSale, listPayMethods } from './sale.queries.ts'
import { periodOf } from './public-sale.ts'
import { saveSale } from './save-sale.ts'

export const getSale: Handler<typeof api.getSale> = async (_, { db, config, content, caller }) => {
  const stored = await findSale(db)
  const { round, next } = await findRoundsOf(db, stored)
  const why = round ? await findBarrier(db, round, caller.memberId) : null
  const methods = (await listPayMethods(db)).filter((method) => method.is_open)
  return {
    isOpen: stored?.is_selling ?? false,
    quoteMinutes: stored?.quote_minutes ?? quoteMinutesDefault,
    ...periodOf(stored),
    payHours: config.orderPayTime / HOUR,
    payMethods: stored?.is_selling
      ? methods.map((method) => presentPayMethod(effectiveMethod(method, round)))
      : [],
    displayRates: readDisplayRates(content),
    round: round && isShown(round) ? await presentRoundTo(db, round, caller.memberId) : null,
    next: stored?.is_open && next && isShown(next) ? presentNextRound(next, stored, methods) : null,
    isAdmitted: why === null,
    why,
  }
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
