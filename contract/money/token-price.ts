import { decimalPlaces, multiplyDown, parseDecimal, tokenPlaces, writeDecimal } from '../platform/decimal.ts'

const one = 10n ** BigInt(decimalPlaces)

/** The tokens that an amount buys, rounded down to the token's smallest unit. All are in units of 10^-18. */
export const tokensFor = (amount: bigint, rate: bigint): bigint => multiplyDown(amount, rate, tokenPlaces)

/** The smallest amount with the given decimal places that buys at least this many tokens. */
export function amountNeeded(tokens: bigint, rate: bigint, places: number): bigint {
  const unit = 10n ** BigInt(decimalPlaces - places)
  return divideUp(tokens * one, rate * unit) * unit
}

const divideUp = (value: bigint, by: bigint): bigint => (value + by - 1n) / by

/** Significant digits of a price that has no exact decimal. */
const digitsShown = 4n

/**
 * The price of one token in the unit of the amount, and whether it is exact: one third, for example, has no exact
 * decimal. Null if the price is too small to be shown.
 */
export function priceOfToken(rate: string): { price: string; isExact: boolean } | null {
  const divisor = parseDecimal(rate)
  const price = (one * one) / divisor
  if (price === 0n) return null
  if (price * divisor === one * one) return { price: writeDecimal(price), isExact: true }
  const digits = BigInt(String(price).length)
  const unit = digits > digitsShown ? 10n ** (digits - digitsShown) : 1n
  return { price: writeDecimal(((price + unit / 2n) / unit) * unit), isExact: false }
}
