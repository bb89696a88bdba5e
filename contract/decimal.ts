import * as z from 'zod/mini'
import { decimalPattern } from './fields.ts'

/** Digits after the point that any amount can have. Computing is done in whole numbers of 10^-18. */
export const decimalPlaces = 18
/** The smallest unit of the token is 10^-8: quantities are rounded down to it, so that nobody is promised more than was paid for. */
export const tokenPlaces = 8

/** A plain decimal: at most 20 digits before and 18 after the point, no sign, no exponent. */
export const decimal = z
  .string()
  .check(z.trim(), z.minLength(1, 'required'), z.regex(decimalPattern, 'number'))

const one = 10n ** BigInt(decimalPlaces)

/** A decimal of the contract as so many 10^-18. */
export function parseDecimal(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole) * one + BigInt(fraction.padEnd(decimalPlaces, '0'))
}

/**
 * The number as its shortest decimal says it: 0.1 is a tenth, not the binary fraction next to it. What lies below
 * 10^-18 is cut off.
 */
export function parseNumber(value: number): bigint {
  const [digits = '0', exponent = '0'] = String(Math.abs(value)).split('e')
  const [whole = '0', fraction = ''] = digits.split('.')
  const shift = decimalPlaces + Number(exponent) - fraction.length
  const integer = BigInt(whole + fraction)
  const result = shift >= 0 ? integer * 10n ** BigInt(shift) : integer / 10n ** BigInt(-shift)
  return value < 0 ? -result : result
}

/** So many 10^-18 as the shortest plain decimal, such as `1200.5`. */
export function writeDecimal(value: bigint): string {
  const sign = value < 0n ? '-' : ''
  const digits = String(value < 0n ? -value : value).padStart(decimalPlaces + 1, '0')
  const fraction = digits.slice(-decimalPlaces).replace(/0+$/, '')
  return sign + digits.slice(0, -decimalPlaces) + (fraction && `.${fraction}`)
}

/** A decimal without trailing zeros: `1.500` becomes `1.5`. */
export const shortDecimal = (text: string): string => writeDecimal(parseDecimal(text))

/** The exact product of two amounts, rounded down to so many digits after the point. */
export function multiplyDown(a: bigint, b: bigint, places: number): bigint {
  const unit = 10n ** BigInt(decimalPlaces - places)
  return ((a * b) / (one * unit)) * unit
}

/** The digits after the point that a decimal really uses. */
export const placesOf = (text: string): number => (shortDecimal(text).split('.')[1] ?? '').length

/** Whether two amounts differ by more than so many percent of the expected one. An unknown expectation cannot be missed. */
export function isBeyondTolerance(percent: string, actual: string, expected: string | null): boolean {
  if (expected === null) return false
  const [is, due] = [parseDecimal(actual), parseDecimal(expected)]
  const apart = is > due ? is - due : due - is
  return apart * parseDecimal('100') > due * parseDecimal(percent)
}
