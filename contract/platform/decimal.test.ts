import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  decimal,
  decimalPlaces,
  multiplyDown,
  parseDecimal,
  parseNumber,
  placesOf,
  shortDecimal,
  tokenPlaces,
  writeDecimal,
} from './decimal.ts'

const digits = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: length })
/** Generates every decimal that the schema accepts. */
const anyDecimal = fc
  .tuple(digits(20), fc.option(digits(18)))
  .map(([whole, fraction]) => (fraction === null ? whole : `${whole}.${fraction}`))
const anyAmount = fc.bigInt({ min: 0n, max: 10n ** 38n - 1n })
const unit = 10n ** BigInt(decimalPlaces - tokenPlaces)

test('formatting and parsing keep every digit', () => {
  fc.assert(
    fc.property(anyAmount, (amount) => {
      expect(parseDecimal(writeDecimal(amount))).toBe(amount)
    }),
  )
  fc.assert(
    fc.property(anyDecimal, (text) => {
      expect(decimal.safeParse(text).success).toBe(true)
      expect(parseDecimal(shortDecimal(text))).toBe(parseDecimal(text))
      expect(shortDecimal(text)).toMatch(/^(0|[1-9]\d*)(\.\d*[1-9])?$/)
      expect(placesOf(text)).toBeLessThanOrEqual(decimalPlaces)
    }),
  )
})

test('a product is never rounded up, and loses less than one smallest unit', () => {
  fc.assert(
    fc.property(anyAmount, anyAmount, (amount, rate) => {
      const quantity = multiplyDown(amount, rate, tokenPlaces)
      const exact = amount * rate
      const scale = 10n ** BigInt(decimalPlaces)
      expect(quantity % unit).toBe(0n)
      expect(quantity * scale).toBeLessThanOrEqual(exact)
      expect((quantity + unit) * scale).toBeGreaterThan(exact)
    }),
  )
})

test('paying in parts never buys more than paying at once, and loses less than a unit per part', () => {
  fc.assert(
    fc.property(
      fc.array(anyAmount, { minLength: 1, maxLength: 8 }),
      fc.bigInt({ min: 1n, max: 10n ** 24n }),
      (parts, rate) => {
        const buy = (amount: bigint) => multiplyDown(amount, rate, tokenPlaces)
        const inParts = parts.map(buy).reduce((sum, each) => sum + each, 0n)
        const atOnce = buy(parts.reduce((sum, each) => sum + each, 0n))
        expect(inParts).toBeLessThanOrEqual(atOnce)
        expect(atOnce - inParts).toBeLessThan(unit * BigInt(parts.length))
      },
    ),
  )
})

test('a number is read as its shortest decimal notation', () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-2, max: 1e20, noNaN: true }), (value) => {
      expect(Number(writeDecimal(parseNumber(value)))).toBe(value)
    }),
  )
})

test.each([
  [1e-7, '0.0000001'],
  [1e-18, '0.000000000000000001'],
  [1e-19, '0'],
  [1e21, '1000000000000000000000'],
  [0.1, '0.1'],
  [-0.5, '-0.5'],
])('parses %s as %s', (value, text) => {
  expect(writeDecimal(parseNumber(value))).toBe(text)
})

test.each([
  ['0.1', '0.2', '0.02'],
  ['0.00000001', '120000', '0.0012'],
  ['3', '0.333333333', '0.99999999'],
  ['0.000000000000000001', '1', '0'],
  ['99999999999999999999.999999999999999999', '1', '99999999999999999999.99999999'],
])('%s at %s buys %s', (amount, rate, bought) => {
  expect(writeDecimal(multiplyDown(parseDecimal(amount), parseDecimal(rate), tokenPlaces))).toBe(bought)
})

test.each([
  '',
  '-1',
  '+1',
  '1e3',
  '.5',
  '1.',
  '1,5',
  '0x1',
  'NaN',
  '1 000',
  '9'.repeat(21),
  `0.${'1'.repeat(19)}`,
])('rejects “%s”', (text) => {
  expect(decimal.safeParse(text).success).toBe(false)
})
