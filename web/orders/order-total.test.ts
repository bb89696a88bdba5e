import fc from 'fast-check'
import { expect, test } from 'vitest'
import { writeDecimal } from '#contract/platform/decimal.ts'
import { countsTowardsTotal, orderTotal } from './account-details-page.tsx'

const order = (fabQty: number | null, status = 'completed') => ({ fabQty, status })

test.each([
  [[], '0'],
  [[order(0.1), order(0.2)], '0.3'],
  [[order(1200), order(0.5)], '1200.5'],
  [[order(1e-7), order(1e-7)], '0.0000002'],
  [[order(1e-18)], '0.000000000000000001'],
  [[order(1e21)], '1000000000000000000000'],
  [[order(9007199254740991), order(1), order(1)], '9007199254740993'],
  [[order(1.25e22), order(0.000001)], '12500000000000000000000.000001'],
  [Array.from({ length: 10 }, () => order(0.1)), '1'],
] as const)('the total is exact', (orders, total) => {
  expect(orderTotal(orders)).toBe(total)
})

test('counts only completed orders with a quantity', () => {
  const orders = [order(1), order(2, 'pending'), order(4, 'cancelled'), order(null), order(8, 'Completed')]
  expect(orderTotal(orders)).toBe('9')
  expect(orders.map(countsTowardsTotal)).toEqual([true, false, false, false, true])
})

test('ignores quantities that are not numbers', () => {
  expect(orderTotal([order(Number.NaN), order(3)])).toBe('3')
})

test('the total of any completed orders is exact, in any order', () => {
  const quantities = fc.array(fc.bigInt({ min: 0n, max: 10n ** 38n - 1n }), { maxLength: 50 })
  fc.assert(
    fc.property(quantities, (amounts) => {
      const orders = amounts.map((amount) => ({
        status: 'completed',
        fabQty: Number(writeDecimal(amount)),
        exactFabQty: writeDecimal(amount),
      }))
      const sum = writeDecimal(amounts.reduce((total, amount) => total + amount, 0n))
      expect(orderTotal(orders)).toBe(sum)
      expect(orderTotal(orders.toReversed())).toBe(sum)
    }),
  )
})
