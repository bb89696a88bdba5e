import { expect, test } from 'vitest'
import { readScale, sizesAt } from './sizes.ts'

test('the full installation has a million members, and each smaller one a tenth of the one before', () => {
  const counts = ['1x', '10x', '100x', 'full'].map((name) => sizesAt(readScale(name)).members)
  expect(counts).toEqual([1000, 10_000, 100_000, 1_000_000])
  expect(sizesAt(1)).toEqual({
    members: 1_000_000,
    cases: 333_333,
    orders: 200_000,
    mails: 500_000,
    entries: 2_000_000,
    posts: 10_000,
    subscribers: 200_000,
  })
})

test('a part of the full one may be named by a number, anything else is refused', () => {
  expect(readScale('0.1')).toBe(0.1)
  for (const wrong of ['0', '2', '-1', 'large', '']) expect(() => readScale(wrong)).toThrow(/SCALE is one of/)
})
