import type { api } from '#contract/api.ts'
import { parseDecimal, shortDecimal } from '#contract/platform/decimal.ts'
import { HOUR } from '#contract/platform/durations.ts'
import { currencyOf } from '#contract/money/orders.ts'
import type { PublicSale, PublicSaleState } from '#contract/money/public-sale.ts'
import { tokensFor } from '#contract/money/token-price.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Handler } from '../../platform/http/handler.ts'
import type { Services } from '../../platform/services.ts'
import { findSale, findSoldVersion, listPayMethods, type PayMethodRow, type SaleRow } from './sale.queries.ts'

/** Same shape as in the content rules (`api/publishing/content/rules/fact-schemas.ts`). */
type SaleFacts = { isPublic: boolean; isOnHome: boolean; isLeftShown: boolean }

const hidden: SaleFacts = { isPublic: false, isOnHome: false, isLeftShown: false }

/** What editors have made public about the sale. Without this file, nothing is public. */
export const saleFacts = ({ content }: Pick<Services, 'content'>): SaleFacts =>
  (content.facts('facts/sale.json') as SaleFacts | undefined) ?? hidden

export const readPublicSale: Handler<typeof api.readPublicSale> = async (_, { db, config, content }) => {
  const { isPublic, isOnHome, isLeftShown } = saleFacts({ content })
  if (!isPublic) return { sale: null, isOnHome: false }
  const { row, state, payMethods, left } = await readSaleState(db)
  const isAccepting = state === 'open' || state === 'soldOut'
  const sale: PublicSale = {
    state,
    ...periodOf(row),
    ...(isAccepting
      ? {
          payMethods: payMethods.map(presentPublicly),
          memberCap: row?.member_cap == null ? null : shortDecimal(row.member_cap),
          left: isLeftShown ? left : null,
        }
      : { payMethods: [], memberCap: null, left: null }),
    quoteMinutes: row?.quote_minutes ?? 0,
    payHours: config.orderPayTime / HOUR,
    ageMin: config.kycAgeMin,
  }
  return { sale, isOnHome }
}

/** The sale period is public only if staff have opened the sale. */
const periodOf = (row: SaleRow | undefined): Pick<PublicSale, 'opensAt' | 'closesAt'> => ({
  opensAt: (row?.is_open && row.opens_at?.toISOString()) || null,
  closesAt: (row?.is_open && row.closes_at?.toISOString()) || null,
})

/** Leaves out the receiving address, which is shown only with an order. */
const presentPublicly = (row: PayMethodRow): PublicSale['payMethods'][number] => ({
  code: row.code,
  currency: row.currency ?? currencyOf(row.code),
  rate: shortDecimal(row.rate),
  minAmount: shortDecimal(row.min_amount),
  maxAmount: shortDecimal(row.max_amount),
  decimals: row.decimals,
})

type SaleState = {
  row: SaleRow | undefined
  state: PublicSaleState
  /** The methods that accept orders. */
  payMethods: PayMethodRow[]
  left: PublicSale['left']
  /** Differs after each change of what is sold. Null without a cap. */
  soldVersion: string | null
}

/** Reads the state of the sale, using the database clock. */
export async function readSaleState(db: Tx): Promise<SaleState> {
  const row = await findSale(db)
  const payMethods = (await listPayMethods(db)).filter((method) => method.is_open)
  const sold = await findSoldVersion(db)
  const tokensLeft =
    row?.cap == null ? undefined : parseDecimal(row.cap) - parseDecimal(sold?.quantity ?? '0')
  const left = row?.cap == null || tokensLeft === undefined ? null : leftOf(row.cap, tokensLeft)
  const state = stateOf(row, payMethods, tokensLeft)
  return { row, state, payMethods, left, soldVersion: sold?.version ?? null }
}

function stateOf(
  row: SaleRow | undefined,
  payMethods: readonly PayMethodRow[],
  tokensLeft: bigint | undefined,
): PublicSaleState {
  if (!row?.is_open) return 'none'
  if (!row.is_selling) return row.is_upcoming ? 'upcoming' : 'ended'
  if (payMethods.length === 0) return 'none'
  const isSoldOut =
    tokensLeft !== undefined && payMethods.every((method) => smallestOrder(method) > tokensLeft)
  return isSoldOut ? 'soldOut' : 'open'
}

/** The tokens that the smallest order buys. */
const smallestOrder = ({ rate, min_amount }: PayMethodRow): bigint => {
  const tokens = tokensFor(parseDecimal(min_amount), parseDecimal(rate))
  return tokens > 0n ? tokens : 1n
}

const tenthsOfPercent = 1000n

function leftOf(cap: string, tokensLeft: bigint): PublicSale['left'] {
  // Staff can correct orders beyond the cap.
  const tenths = tokensLeft > 0n ? (tokensLeft * tenthsOfPercent) / parseDecimal(cap) : 0n
  return { cap: shortDecimal(cap), percent: `${tenths / 10n}.${tenths % 10n}` }
}
