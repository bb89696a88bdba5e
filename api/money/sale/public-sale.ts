import type { api } from '#contract/api.ts'
import { parseDecimal, shortDecimal } from '#contract/platform/decimal.ts'
import { HOUR } from '#contract/platform/durations.ts'
import { currencyOf } from '#contract/money/orders.ts'
import type { PublicSale, PublicSaleState } from '#contract/money/public-sale.ts'
import { bonusFor } from '#contract/money/round-bonus.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Handler } from '../../platform/http/handler.ts'
import type { Services } from '../../platform/services.ts'
import { bonusOf, effectiveMethod, isShown, nameOf, presentNextRound, vestingOf } from './current-round.ts'
import { findRoundsOf, type RoundRow } from './rounds.queries.ts'
import {
  findSale,
  findSold,
  findSoldVersion,
  listPayMethods,
  type PayMethodRow,
  type SaleRow,
} from './sale.queries.ts'

/** Same shape as in the content rules (`api/publishing/content/rules/fact-schemas.ts`). */
type SaleFacts = { isPublic: boolean; isOnHome: boolean; isLeftShown: boolean; areRoundsShown?: boolean }

const hidden: SaleFacts = { isPublic: false, isOnHome: false, isLeftShown: false, areRoundsShown: false }

/** What editors have made public about the sale. Without this file, nothing is public. */
export const saleFacts = ({ content }: Pick<Services, 'content'>): SaleFacts =>
  (content.facts('facts/sale.json') as SaleFacts | undefined) ?? hidden

export const readPublicSale: Handler<typeof api.readPublicSale> = async (_, { db, config, content }) => {
  const facts = saleFacts({ content })
  if (!facts.isPublic) return { sale: null, isOnHome: false }
  const read = await readSaleState(db)
  const sale: PublicSale = {
    state: read.state,
    ...periodOf(read.row),
    ...presentOffer(read, facts),
    quoteMinutes: read.row?.quote_minutes ?? 0,
    payHours: config.orderPayTime / HOUR,
    ageMin: config.kycAgeMin,
    ...presentRounds(read, facts),
  }
  return { sale, isOnHome: facts.isOnHome }
}

const isAccepting = ({ state }: SaleState): boolean => state === 'open' || state === 'soldOut'

function presentOffer(
  read: SaleState,
  { isLeftShown }: SaleFacts,
): Pick<PublicSale, 'payMethods' | 'memberCap' | 'left'> {
  if (!isAccepting(read)) return { payMethods: [], memberCap: null, left: null }
  const { row, payMethods, left } = read
  return {
    payMethods: payMethods.map(presentPublicly),
    memberCap: row?.member_cap == null ? null : shortDecimal(row.member_cap),
    left: isLeftShown ? left : null,
  }
}

function presentRounds(
  read: SaleState,
  { areRoundsShown = false, isLeftShown }: SaleFacts,
): Pick<PublicSale, 'round' | 'next'> {
  const { row, round, next, methods } = read
  if (!areRoundsShown || !row?.is_open) return { round: null, next: null }
  return {
    round: isAccepting(read) && round && isShown(round) ? presentRoundPublicly(round, isLeftShown) : null,
    next: next && isShown(next) ? presentNextRound(next, row, methods) : null,
  }
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
export const periodOf = (row: SaleRow | undefined): Pick<PublicSale, 'opensAt' | 'closesAt'> => {
  if (!row?.is_open) return { opensAt: null, closesAt: null }
  const opensAt = row.is_upcoming ? row.opening_at : row.opens_at
  return { opensAt: opensAt?.toISOString() ?? null, closesAt: row.closing_at?.toISOString() ?? null }
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
  methods: PayMethodRow[]
  /** The methods that accept orders, at the price and with the limits of the round. */
  payMethods: PayMethodRow[]
  left: PublicSale['left']
  /** Differs after each change of what is sold. Null without caps. */
  soldVersion: string | null
  /** The round in which the sale is selling, and the one that opens next. */
  round: RoundRow | undefined
  next: RoundRow | undefined
}

/** Reads the state of the sale, using the database clock. */
export async function readSaleState(db: Tx): Promise<SaleState> {
  const row = await findSale(db)
  const { round, next } = await findRoundsOf(db, row)
  const methods = await listPayMethods(db)
  const payMethods = methods.filter((each) => each.is_open).map((each) => effectiveMethod(each, round))
  const tokensLeft =
    row?.cap == null ? undefined : parseDecimal(row.cap) - parseDecimal((await findSold(db)) ?? '0')
  const left = row?.cap == null || tokensLeft === undefined ? null : leftOf(row.cap, tokensLeft)
  const smallest = payMethods.map((method) => smallestOrder(method, round))
  const state = stateOf(row, smallest, leastOf(tokensLeft, round && roomOf(round)))
  const soldVersion = await findSoldVersion(db)
  return { row, state, methods, payMethods, left, soldVersion, round, next }
}

const roomOf = ({ cap, sold }: RoundRow): bigint | undefined =>
  cap === null ? undefined : parseDecimal(cap) - parseDecimal(sold)

const leastOf = (a: bigint | undefined, b: bigint | undefined): bigint | undefined =>
  a === undefined || (b !== undefined && b < a) ? b : a

function stateOf(
  row: SaleRow | undefined,
  smallestOrders: readonly bigint[],
  tokensLeft: bigint | undefined,
): PublicSaleState {
  if (!row?.is_open) return 'none'
  if (!row.is_selling) return row.is_upcoming ? 'upcoming' : 'ended'
  if (smallestOrders.length === 0) return 'none'
  const isSoldOut = tokensLeft !== undefined && smallestOrders.every((tokens) => tokens > tokensLeft)
  return isSoldOut ? 'soldOut' : 'open'
}

/** The tokens that the smallest order buys, with its bonus. */
const smallestOrder = ({ rate, min_amount }: PayMethodRow, round: RoundRow | undefined): bigint => {
  const { tokens } = bonusFor(parseDecimal(min_amount), parseDecimal(rate), round ? bonusOf(round) : [])
  return tokens > 0n ? tokens : 1n
}

const tenthsOfPercent = 1000n

function leftOf(cap: string, tokensLeft: bigint): PublicSale['left'] {
  // Staff can correct orders beyond the cap.
  const tenths = tokensLeft > 0n ? (tokensLeft * tenthsOfPercent) / parseDecimal(cap) : 0n
  return { cap: shortDecimal(cap), percent: `${tenths / 10n}.${tenths % 10n}` }
}
