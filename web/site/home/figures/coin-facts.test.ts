import { expect, test } from 'vitest'
import { columnsFor } from './coin-facts.tsx'

test.each([
  [1, 3],
  [3, 3],
  [4, 2],
  [5, 3],
  [7, 3],
  [9, 3],
  [10, 2],
  [23, 3],
])('puts %d figures in %d columns', (count, columns) => {
  expect(columnsFor(count)).toBe(columns)
})
