import { expect, test } from 'vitest'
import { petalsFor } from './petals-for.ts'

test('each person has as many petals as the next, and a flower has at least six', () => {
  for (let people = 1; people <= 24; people++) {
    expect(petalsFor(people) % people).toBe(0)
    expect(petalsFor(people)).toBeGreaterThanOrEqual(6)
    expect(petalsFor(people)).toBeLessThanOrEqual(24)
  }
})

test('twelve people have a petal each', () => {
  expect(petalsFor(12)).toBe(12)
})

test.each([
  [0, 6],
  [25, 24],
  [224, 24],
])('%d people have a flower all the same', (people, petals) => {
  expect(petalsFor(people)).toBe(petals)
})
