import * as z from 'zod/mini'
import { decimalPattern } from './fields.ts'

/** The maximum number of decimal places of an amount. Calculations use integers in units of 10^-18. */
export const decimalPlaces = 18
/**
 * The smallest unit of the token is 10^-8. Quantities are rounded down to it, so that nobody is promised more
 * than they paid for.
 */
export const tokenPlaces = 8

/** A plain decimal: up to 20 digits before and 18 after the point, no sign, no exponent. */
export const decimal = z
  .string()
  .check(z.trim(), z.minLength(1, 'required'), z.regex(decimalPattern, 'number'))

const one = 10n ** BigInt(decimalPlaces)

/** Parses a decimal into units of 10^-18. */
export function parseDecimal(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole) * one + BigInt(fraction.padEnd(decimalPlaces, '0'))
}

/**
 * Parses a number by its shortest decimal notation into units of 10^-18: 0.1 is a tenth, not the nearest binary
 * fraction. Digits below 10^-18 are cut off.
 */
export function parseNumber(value: number): bigint {
  const [digits = '0', exponent = '0'] = String(Math.abs(value)).split('e')
  const [whole = '0', fraction = ''] = digits.split('.')
  const shift = decimalPlaces + Number(exponent) - fraction.length
  const integer = BigInt(whole + fraction)
  const result = shift >= 0 ? integer * 10n ** BigInt(shift) : integer / 10n ** BigInt(-shift)
  return value < 0 ? -result : result
}

/** Formats units of 10^-18 as the shortest plain decimal, such as `1200.5`. */
export function writeDecimal(value: bigint): string {
  const sign = value < 0n ? '-' : ''
  const digits = String(value < 0n ? -value : value).padStart(decimalPlaces + 1, '0')
  const fraction = digits.slice(-decimalPlaces).replace(/0+$/, '')
  return sign + digits.slice(0, -decimalPlaces) + (fraction && `.${fraction}`)
}

/** Removes trailing zeros from a decimal: `1.500` becomes `1.5`. */
export const shortDecimal = (text: string): string => writeDecimal(parseDecimal(text))

/** The exact product of two amounts, rounded down to the given number of decimal places. */
export function multiplyDown(a: bigint, b: bigint, places: number): bigint {
  const unit = 10n ** BigInt(decimalPlaces - places)
  return ((a * b) / (one * unit)) * unit
}

/** Number of decimal places that a decimal uses. */
export const placesOf = (text: string): number => (shortDecimal(text).split('.')[1] ?? '').length

/**
 * Whether two amounts differ by more than the given percentage of the expected one. False if the expected
 * amount is unknown.
 */
export function isBeyondTolerance(percent: string, actual: string, expected: string | null): boolean {
  if (expected === null) return false
  const [is, due] = [parseDecimal(actual), parseDecimal(expected)]
  const apart = is > due ? is - due : due - is
  return apart * parseDecimal('100') > due * parseDecimal(percent)
}
