import { parseDecimal, placesOf, tokenPlaces, writeDecimal } from '#contract/platform/decimal.ts'
import type { PublicPayMethod } from '#contract/money/public-sale.ts'
import { bonusFor, raiseRate, type BonusTier } from '#contract/money/round-bonus.ts'
import { amountNeeded } from '#contract/money/token-price.ts'
import { typedAmount } from '../../kernel/typed-amount.ts'

/** The input: an amount to pay, or a quantity of tokens to get. */
export type Given = { field: 'amount' | 'quantity'; text: string }
/** `bonusPercent` is `0` without a bonus. */
export type Calculated = { amount: string; quantity: string; bonusPercent: string }
/** The name of a problem with a field, and the limit that its message states. */
export type Problem = {
  problem: 'number' | 'ambiguous_number' | 'too_little' | 'too_much' | 'too_precise'
  bound: string
}

/**
 * Calculates what an amount buys with the bonus of the round, exactly as an order does, or the smallest amount that buys
 * a quantity. Null if the input is empty.
 */
export function calculate(
  method: PublicPayMethod,
  { field, text }: Given,
  tiers: readonly BonusTier[] = [],
): Calculated | Problem | null {
  if (text.trim() === '') return null
  const { data: typed, error } = typedAmount.safeParse(text)
  if (error) {
    const [name, bound = ''] = error.issues[0]!.message.split(' ')
    return { problem: name === 'ambiguous_number' ? name : 'number', bound }
  }
  const places = field === 'amount' ? method.decimals : tokenPlaces
  if (placesOf(typed) > places) return { problem: 'too_precise', bound: String(places) }
  const rate = parseDecimal(method.rate)
  const amount =
    field === 'amount' ? parseDecimal(typed) : leastAmount(parseDecimal(typed), rate, method.decimals, tiers)
  const [min, max] = [parseDecimal(method.minAmount), parseDecimal(method.maxAmount)]
  // The limit is in the unit of the field.
  const boundOf = (limit: bigint) =>
    writeDecimal(field === 'amount' ? limit : bonusFor(limit, rate, tiers).tokens)
  if (amount < min || amount === 0n) return { problem: 'too_little', bound: boundOf(min) }
  if (amount > max) return { problem: 'too_much', bound: boundOf(max) }
  return calculated(amount, rate, tiers)
}

function calculated(amount: bigint, rate: bigint, tiers: readonly BonusTier[]): Calculated {
  const { tokens, percent } = bonusFor(amount, rate, tiers)
  return { amount: writeDecimal(amount), quantity: writeDecimal(tokens), bonusPercent: percent }
}

/**
 * The smallest amount that buys at least this many tokens. A tier applies from a quantity before the bonus on, so the
 * amount is at least the one that reaches the tier, and the cheapest tier that suffices counts.
 */
function leastAmount(tokens: bigint, rate: bigint, places: number, tiers: readonly BonusTier[]): bigint {
  const amounts = [{ from: '0', percent: '0' }, ...tiers].map(({ from, percent }) => {
    const needed = amountNeeded(tokens, raiseRate(rate, percent), places)
    const reached = amountNeeded(parseDecimal(from), rate, places)
    return needed > reached ? needed : reached
  })
  return amounts.reduce((least, each) => (each < least ? each : least))
}

const growth = 10n
const examplesMax = 4

/** Returns a few amounts within a method's limits, and the quantities that they buy. */
export function listExamples(
  { rate, minAmount, maxAmount }: PublicPayMethod,
  tiers: readonly BonusTier[] = [],
): Calculated[] {
  const [min, max] = [parseDecimal(minAmount), parseDecimal(maxAmount)]
  const amounts: bigint[] = []
  for (let amount = min; amount > 0n && amount < max && amounts.length < examplesMax - 1; amount *= growth)
    amounts.push(amount)
  return [...amounts, max].map((amount) => calculated(amount, parseDecimal(rate), tiers))
}

/** Returns the calculator's initial amount: one unit, or the nearest limit. */
export function firstAmount({ minAmount, maxAmount }: PublicPayMethod): string {
  const [min, max] = [parseDecimal(minAmount), parseDecimal(maxAmount)]
  const one = parseDecimal('1')
  return writeDecimal(one < min ? min : one > max ? max : one)
}
