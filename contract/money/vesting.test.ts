import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseDecimal, placesOf, writeDecimal } from '../platform/decimal.ts'
import { allAtOnce, dueAfter, splitByPlan, vestingPlan, type VestingPlan } from './vesting.ts'

const amounts = (total: string, plan: VestingPlan, taken: number[] = []) =>
  splitByPlan(parseDecimal(total), plan, new Set(taken)).map(({ tranche, amount }) => [
    tranche,
    writeDecimal(amount),
  ])

const thirds: VestingPlan = {
  first: '33.33',
  later: {
    kind: 'tranches',
    parts: [
      { after: 1, unit: 'months', percent: '33.33' },
      { after: 2, unit: 'months', percent: '33.34' },
    ],
  },
}
const inParts = (first: string, wait: number, parts: number): VestingPlan => ({
  first,
  later: { kind: 'linear', wait, parts, unit: 'months' },
})

describe('tokens are split exactly', () => {
  test('all at once', () => expect(amounts('0.12345678', allAtOnce)).toEqual([[1, '0.12345678']]))

  test('a first part and equal ones, with the remainder in the last', () => {
    const parts = amounts('1000.00000001', inParts('10', 3, 9))
    expect(parts.map(([, amount]) => amount)).toEqual([
      '100',
      ...Array.from({ length: 8 }, () => '100'),
      '100.00000001',
    ])
  })

  test('tranches by percentage', () => {
    expect(amounts('100', thirds)).toEqual([
      [1, '33.33'],
      [2, '33.33'],
      [3, '33.34'],
    ])
    expect(amounts('0.00000005', thirds).map(([, amount]) => amount)).toEqual([
      '0.00000001',
      '0.00000001',
      '0.00000003',
    ])
  })

  test('parts of nothing are left out', () => {
    expect(amounts('0.00000002', inParts('0', 0, 3))).toEqual([[4, '0.00000002']])
    expect(amounts('0', thirds)).toEqual([])
  })

  test('decimals below the smallest unit of the token stay in the last part', () => {
    expect(amounts('1.0000000000000001', inParts('50', 0, 1))).toEqual([
      [1, '0.5'],
      [2, '0.5000000000000001'],
    ])
  })

  test('over the parts that are left', () => {
    expect(amounts('60', thirds, [1])).toEqual([
      [2, '29.99550022'],
      [3, '30.00449978'],
    ])
    expect(amounts('30', inParts('10', 0, 4), [1, 2])).toEqual([
      [3, '10'],
      [4, '10'],
      [5, '10'],
    ])
    expect(amounts('5', thirds, [1, 2, 3])).toEqual([[4, '5']])
    expect(amounts('5', allAtOnce, [1, 2])).toEqual([[3, '5']])
  })
})

describe('parts are due', () => {
  test('on the same day of later months, or on their last day', () => {
    const completed = new Date('2036-01-31T14:00:00Z')
    const dates = splitByPlan(parseDecimal('3'), inParts('0', 0, 3)).map(({ offset }) =>
      dueAfter(completed, offset).toISOString(),
    )
    expect(dates).toEqual([
      '2036-02-29T14:00:00.000Z',
      '2036-03-31T14:00:00.000Z',
      '2036-04-30T14:00:00.000Z',
    ])
  })

  test('at completion, or some days later', () => {
    const completed = new Date('2036-12-31T23:59:59.999Z')
    expect(dueAfter(completed, null)).toEqual(completed)
    expect(dueAfter(completed, { after: 1, unit: 'days' }).toISOString()).toBe('2037-01-01T23:59:59.999Z')
    expect(dueAfter(completed, { after: 2, unit: 'months' }).toISOString()).toBe('2037-02-28T23:59:59.999Z')
  })
})

test.each<[string, unknown]>([
  ['a first part that is no number', { first: 'a@b', later: null }],
  [
    'a share that is no number',
    { first: '50', later: { kind: 'tranches', parts: [{ after: 1, unit: 'days', percent: '' }] } },
  ],
  ['a sum other than 100', { first: '99.99', later: null }],
  ['nothing after the first part', inParts('100', 0, 3)],
  ['too many parts', inParts('0', 0, 121)],
  ['three decimal places', { first: '33.333', later: null }],
  [
    'dates out of order',
    {
      first: '0',
      later: {
        kind: 'tranches',
        parts: [
          { after: 1, unit: 'months', percent: '50' },
          { after: 30, unit: 'days', percent: '50' },
        ],
      },
    },
  ],
])('a plan with %s is refused', (_, plan) => {
  expect(vestingPlan.safeParse(plan).success).toBe(false)
})

test('valid plans are accepted', () => {
  for (const plan of [allAtOnce, thirds, inParts('0', 12, 24)]) expect(vestingPlan.parse(plan)).toEqual(plan)
})

const percentOf = (hundredths: number) =>
  `${Math.floor(hundredths / 100)}.${String(hundredths % 100).padStart(2, '0')}`

const linearPlan = fc
  .record({
    first: fc.integer({ min: 0, max: 9999 }).map(percentOf),
    wait: fc.integer({ min: 0, max: 36 }),
    parts: fc.integer({ min: 1, max: 120 }),
    unit: fc.constantFrom('days' as const, 'months' as const),
  })
  .map(({ first, ...rest }): VestingPlan => ({ first, later: { kind: 'linear', ...rest } }))

const tranchePlan = fc
  .uniqueArray(fc.integer({ min: 1, max: 9999 }), { minLength: 1, maxLength: 12 })
  .map((cuts): VestingPlan => {
    const edges = [...cuts.toSorted((a, b) => a - b), 10_000]
    const parts = edges.slice(1).map((edge, index) => ({
      after: index + 1,
      unit: 'months' as const,
      percent: percentOf(edge - edges[index]!),
    }))
    return { first: percentOf(edges[0]!), later: { kind: 'tranches', parts } }
  })

test('whatever the plan, the parts are the whole, in order, and only the last has a remainder', () => {
  const completed = new Date('2036-01-31T14:00:00Z')
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n, max: 10n ** 30n }),
      fc.oneof(linearPlan, tranchePlan, fc.constant(allAtOnce)),
      fc.uniqueArray(fc.integer({ min: 1, max: 130 }), { maxLength: 5 }),
      (total, plan, taken) => {
        expect(vestingPlan.safeParse(plan).success).toBe(true)
        const parts = splitByPlan(total, plan, new Set(taken))
        expect(parts.reduce((sum, { amount }) => sum + amount, 0n)).toBe(total)
        expect(parts.every(({ amount, tranche }) => amount > 0n && !taken.includes(tranche))).toBe(true)
        const due = parts.map(({ offset }) => dueAfter(completed, offset).getTime())
        expect(due).toEqual(due.toSorted((a, b) => a - b))
        for (const { amount } of parts.slice(0, -1))
          expect(placesOf(writeDecimal(amount))).toBeLessThanOrEqual(8)
      },
    ),
    { seed: 20_261_202, numRuns: 10_000 },
  )
})
