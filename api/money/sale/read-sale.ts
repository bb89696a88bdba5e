import { shortDecimal } from '#contract/platform/decimal.ts'
import { effectivePrices, saleOfFlat } from '#contract/money/flat-sale.ts'
import { currencyOf } from '#contract/money/orders.ts'
import type { SaleRound } from '#contract/money/sale-rounds.ts'
import type {
  PayMethodSettings,
  RateReference,
  SaleProposal,
  SaleSettings,
  SaleTerms,
} from '#contract/money/sale.ts'
import type { FlatSettings, SettingChange } from '#contract/people/settings.ts'
import { DAY } from '#contract/platform/durations.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Tx } from '../../platform/db/database.ts'
import { readSaleNeedsFourEyes } from '../../people/four-eyes/read-policy.ts'
import { listRateReferences, listVersionsOfSale } from '../../people/settings/setting-version.queries.ts'
import { presentRound } from './current-round.ts'
import { listRounds } from './rounds.queries.ts'
import { findOpenProposal, proposalLife, type ProposalRow } from './sale-proposal.queries.ts'
import { findSale, findSold, listPayMethods, type PayMethodRow } from './sale.queries.ts'

/** Age of the rates that new rates are compared with, in addition to the current ones, in milliseconds. */
const referenceAge = DAY

/** Before there is a sale. */
export const quoteMinutesDefault = 15

export async function readSettings(
  db: Tx,
  config: Pick<Config, 'isSaleFourEyesRequired' | 'isStaffSecondFactorRequired' | 'rateChangePercent'>,
): Promise<SaleSettings> {
  const [proposal, sold] = [await findOpenProposal(db, config), await findSold(db)]
  return {
    ...(await readTerms(db)),
    sold: sold === null ? null : shortDecimal(sold),
    proposal: proposal ? presentProposal(proposal) : null,
    takesTwo: await readSaleNeedsFourEyes(db, config),
    rateChangePercent: config.rateChangePercent,
    rateReferences: await readRateReferences(db),
    lastUpdated: (await findSale(db))?.updated_at.toISOString() ?? null,
  }
}

/** Rates of methods, and the prices of the settings that applied then. */
export async function readRateReferences(db: Tx): Promise<RateReference[]> {
  const versions = await listVersionsOfSale(db, referenceAge)
  const states = [...versions.slice(0, 1).map(({ before }) => before), ...versions.map(({ after }) => after)]
  // The sale may have been set up since.
  const dayAgo = states
    .map((settings) => saleOfFlat(settings as FlatSettings))
    .find(({ payMethods }) => payMethods.length > 0)
  const prices = dayAgo ? effectivePrices(dayAgo) : []
  return [
    ...(await listRateReferences(db, referenceAge)),
    ...prices.map(({ code, chain, currency, rate, opensAt, closesAt }) => ({
      version: '',
      isDayOld: true,
      code,
      chain,
      currency,
      rate,
      period: { opensAt, closesAt },
    })),
  ]
}

export async function readTerms(db: Tx): Promise<SaleTerms & { rounds: SaleRound[] }> {
  const sale = await findSale(db)
  return {
    isOpen: sale?.is_open ?? false,
    quoteMinutes: sale?.quote_minutes ?? quoteMinutesDefault,
    opensAt: sale?.opens_at?.toISOString() ?? null,
    closesAt: sale?.closes_at?.toISOString() ?? null,
    cap: sale?.cap == null ? null : shortDecimal(sale.cap),
    memberCap: sale?.member_cap == null ? null : shortDecimal(sale.member_cap),
    payMethods: (await listPayMethods(db)).map(presentPayMethod),
    rounds: (await listRounds(db)).map(presentRound),
  }
}

export const presentPayMethod = (row: PayMethodRow): PayMethodSettings => ({
  code: row.code,
  chain: row.chain,
  currency: row.currency ?? currencyOf(row.code),
  isOpen: row.is_open,
  rate: shortDecimal(row.rate),
  decimals: row.decimals,
  minAmount: shortDecimal(row.min_amount),
  maxAmount: shortDecimal(row.max_amount),
  receivingAddress: row.receiving_address,
})

const presentProposal = (row: ProposalRow): SaleProposal => ({
  id: row.id,
  by: { id: row.proposed_by, name: row.proposer_name ?? '' },
  at: row.proposed_at.toISOString(),
  expiresAt: new Date(row.proposed_at.getTime() + proposalLife).toISOString(),
  changes: row.changes as SettingChange[],
})
