import type { api } from '#contract/api.ts'
import { parseDecimal, shortDecimal } from '#contract/platform/decimal.ts'
import { HOUR } from '#contract/platform/durations.ts'
import { currencyOf } from '#contract/money/orders.ts'
import type { PublicSale, PublicSaleState } from '#contract/money/public-sale.ts'
import { tokensFor } from '#contract/money/token-price.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Handler } from '../../platform/http/handler.ts'
import type { Services } from '../../platform/services.ts'
import { bonusOf, effectiveMethod, isShown, nameOf, presentNextRound, vestingOf } from './current-round.ts'
import { findCurrentRound, findNextRound, type RoundRow } from './rounds.queries.ts'
import { findSale, findSoldVersion, listPayMethods, type PayMethodRow, type SaleRow } from './sale.queries.ts'

/** Same shape as in the content rules (`api/publishing/content/rules/fact-schemas.ts`). */
type SaleFacts = { isPublic: boolean; isOnHome: boolean; isLeftShown: boolean; areRoundsShown?: boolean }

const hidden: SaleFacts = { isPublic: false, isOnHome: false, isLeftShown: false, areRoundsShown: false }

/** What editors have made public about the sale. Without this file, nothing is public. */
export const saleFacts = ({ content }: Pick<Services, 'content'>): SaleFacts =>
  (content.facts('facts/sale.json') as SaleFacts | undefined) ?? hidden

export const readPublicSale: Handler<typeof api.readPublicSale> = async (_, { db, config, content }) => {
  const { isPublic, isOnHome, isLeftShown, areRoundsShown = false } = saleFacts({ content })
  if (!isPublic) return { sale: null, isOnHome: false }
  const { row, state, payMethods, left, round, next } = await readSaleState(db)
  const isAccepting = state === 'open' || state === 'soldOut'
  const sale: PublicSale = {
    state,
    ...periodOf(row, next),
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
    round:
      areRoundsShown && isAccepting && round && isShown(round)
        ? presentRoundPublicly(round, isLeftShown)
        : null,
    next: areRoundsShown && row?.is_open && next ? presentNextRound(next, await listPayMethods(db)) : null,
  }
  return { sale, isOnHome }
}

/** Leaves out who is admitted and what one member can order. */
const presentRoundPublicly = (round: RoundRow, isLeftShown: boolean): PublicSale['round'] => ({
  name: nameOf(round),
  closesAt: round.closes_at?.toISOString() ?? null,
  left: isLeftShown && round.cap !== null ? leftOf(round.cap, roomOf(round)!) : null,
  bonus: bonusOf(round),
  vesting: vestingOf(round),
})

/** The sale period is public only if staff have opened the sale. Between two rounds, it goes on with the next one. */
const periodOf = (
  row: SaleRow | undefined,
  next: RoundRow | undefined,
): Pick<PublicSale, 'opensAt' | 'closesAt'> => ({
  opensAt: (row?.is_open && (startOf(row, next)?.toISOString() ?? null)) || null,
  closesAt: (row?.is_open && row.closes_at?.toISOString()) || null,
})

const startOf = (row: SaleRow, next: RoundRow | undefined): Date | null => {
  const { opens_at: opensAt } = row
  if (!row.is_upcoming || !next?.opens_at) return opensAt
  return opensAt && opensAt > next.opens_at ? opensAt : next.opens_at
}

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
  /** The round that is open now, and the one that opens next. */
  round: RoundRow | undefined
  next: RoundRow | undefined
}

/** Reads the state of the sale, using the database clock. */
export async function readSaleState(db: Tx): Promise<SaleState> {
  const row = await findSale(db)
  const [round, next] = [await findCurrentRound(db), await findNextRound(db)]
  const payMethods = (await listPayMethods(db))
    .filter((method) => method.is_open)
    .map((method) => effectiveMethod(method, round))
  const sold = await findSoldVersion(db)
  const tokensLeft =
    row?.cap == null ? undefined : parseDecimal(row.cap) - parseDecimal(sold?.quantity ?? '0')
  const left = row?.cap == null || tokensLeft === undefined ? null : leftOf(row.cap, tokensLeft)
  const state = stateOf(row, payMethods, leastOf(tokensLeft, round && roomOf(round)))
  const soldVersion = sold?.version ?? null
  return { row, state, payMethods, left, soldVersion, round, next }
}

const roomOf = ({ cap, sold }: RoundRow): bigint | undefined =>
  cap === null ? undefined : parseDecimal(cap) - parseDecimal(sold)

const leastOf = (a: bigint | undefined, b: bigint | undefined): bigint | undefined =>
  a === undefined || (b !== undefined && b < a) ? b : a

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
