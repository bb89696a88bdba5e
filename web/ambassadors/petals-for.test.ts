import { expect, test } from 'vitest'
import { petalsFor } from './petals-for.ts'

test('gives each person the same number of petals, and a flower at least six', () => {
  for (let people = 1; people <= 24; people++) {
    expect(petalsFor(people) % people).toBe(0)
    expect(petalsFor(people)).toBeGreaterThanOrEqual(6)
    expect(petalsFor(people)).toBeLessThanOrEqual(24)
  }
})

test('gives twelve people one petal each', () => {
  expect(petalsFor(12)).toBe(12)
})

test.each([
  [0, 6],
  [25, 24],
  [224, 24],
])('draws a flower for %d people', (people, petals) => {
  expect(petalsFor(people)).toBe(petals)
})
