import { expect, test } from 'vitest'
import { multiplyDown, parseDecimal, tokenPlaces, writeDecimal } from '#contract/platform/decimal.ts'
import { priceOfToken } from '#contract/money/token-price.ts'
import { calculate, firstAmount, listExamples, type Given } from './calculate.ts'

const method = (fields: Partial<Parameters<typeof calculate>[0]> = {}) => ({
  code: 'BTC',
  currency: 'BTC',
  rate: '120000',
  minAmount: '0.001',
  maxAmount: '5',
  decimals: 8,
  ...fields,
})
const pay = (text: string): Given => ({ field: 'amount', text })
const get = (text: string): Given => ({ field: 'quantity', text })

test.each([
  [method(), pay('0.5'), { amount: '0.5', quantity: '60000' }],
  [method(), pay('0,00100001'), { amount: '0.00100001', quantity: '120.0012' }],
  // Rounded down to 8 decimal places, as in orders.
  [method({ rate: '0.333333333333333333' }), pay('1'), { amount: '1', quantity: '0.33333333' }],
  [method({ rate: '4000.5', decimals: 18 }), pay('0.123456789012345678'), { quantity: '493.88888444' }],
  // The smallest amount that buys at least this quantity.
  [method(), get('60000'), { amount: '0.5', quantity: '60000' }],
  [method(), get('1000'), { amount: '0.00833334', quantity: '1000.0008' }],
  [method(), get('1000.01'), { amount: '0.00833342', quantity: '1000.0104' }],
  [method({ currency: 'USD', rate: '3', decimals: 2, maxAmount: '900' }), get('100'), { amount: '33.34' }],
])('calculates with %o: %o', (of, given, expected) => {
  expect(calculate(of, given)).toMatchObject(expected)
})

test.each([
  [pay('0.0009'), { problem: 'too_little', bound: '0.001' }],
  [pay('5.1'), { problem: 'too_much', bound: '5' }],
  [pay('0.123456789'), { problem: 'too_precise', bound: '8' }],
  [pay('1,000'), { problem: 'ambiguous_number', bound: '1000' }],
  [pay('one'), { problem: 'number' }],
  [get('0'), { problem: 'too_little', bound: '120' }],
  [get('119'), { problem: 'too_little', bound: '120' }],
  [get('600001'), { problem: 'too_much', bound: '600000' }],
  [get('200.123456789'), { problem: 'too_precise', bound: '8' }],
  [pay(' '), null],
])('refuses %o: %o', (given, problem) => {
  const found = calculate(method(), given)
  if (problem === null) expect(found).toBeNull()
  else expect(found).toMatchObject(problem)
})

test('the amount for a quantity is the smallest that buys it', () => {
  const unit = parseDecimal('0.00000001')
  for (const rate of ['120000', '0.7', '33.333333333333333333', '4000.5'])
    for (const quantity of ['1', '7.00000001', '99.99999999', '12345.678']) {
      const found = calculate(method({ rate, minAmount: '0', maxAmount: '99999999' }), get(quantity))
      if (!found || !('amount' in found)) throw new Error(`${quantity} at ${rate} was refused`)
      const buys = (amount: bigint) => multiplyDown(amount, parseDecimal(rate), tokenPlaces)
      const amount = parseDecimal(found.amount)
      expect(found.quantity).toBe(writeDecimal(buys(amount)))
      expect(buys(amount) >= parseDecimal(quantity)).toBe(true)
      expect(buys(amount - unit) < parseDecimal(quantity)).toBe(true)
    }
})

test('examples and the first amount stay within the limits', () => {
  const amounts = (fields: Parameters<typeof method>[0]) =>
    listExamples(method(fields)).map(({ amount }) => amount)
  expect(amounts({})).toEqual(['0.001', '0.01', '0.1', '5'])
  expect(amounts({ minAmount: '2', maxAmount: '2' })).toEqual(['2'])
  expect(firstAmount(method())).toBe('1')
  expect(firstAmount(method({ minAmount: '100', maxAmount: '900' }))).toBe('100')
  expect(firstAmount(method({ minAmount: '0.1', maxAmount: '0.5' }))).toBe('0.5')
})

test.each([
  ['4000', { price: '0.00025', isExact: true }],
  ['0.5', { price: '2', isExact: true }],
  ['120000', { price: '0.000008333', isExact: false }],
  ['3', { price: '0.3333', isExact: false }],
  ['7', { price: '0.1429', isExact: false }],
])('a token at a rate of %s costs %o', (rate, expected) => {
  expect(priceOfToken(rate)).toEqual(expected)
})

const tiers = [
  { from: '1000', percent: '5' },
  { from: '5000', percent: '10.5' },
]

test.each([
  [method({ rate: '123456.789' }), pay('0.015'), { quantity: '1944.44442675', bonusPercent: '5' }],
  [method(), pay('0.00833333'), { quantity: '999.9996', bonusPercent: '0' }],
  // The amount that reaches a tier is less than what the quantity costs below it.
  [method(), get('1040'), { amount: '0.00833334', quantity: '1050.00084' }],
  [method(), get('5400'), { amount: '0.04166667', bonusPercent: '10.5' }],
  [method({ minAmount: '0.00000001' }), get('500'), { amount: '0.00416667', bonusPercent: '0' }],
])('adds the bonus of the round, as orders do: %o, %o', (of, given, expected) => {
  expect(calculate(of, given, tiers)).toMatchObject(expected)
})
