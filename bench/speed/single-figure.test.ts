import { expect, test } from 'vitest'
import { figureOf, isMissed } from './single-figure.ts'

test('a figure is the median of its rounds, and must not be above what it may be', () => {
  const figure = figureOf('page', 'ms', [20, 10, 12], 15)
  expect(figure).toEqual({ name: 'page', unit: 'ms', value: 12, from: 10, to: 20, max: 15 })
  expect(isMissed(figure)).toBe(false)
  expect(isMissed({ ...figure, max: 11 })).toBe(true)
  expect(isMissed(figureOf('page', 'ms', [12]))).toBe(false)
})

test('what could not be measured has not reached its aim', () => {
  expect(isMissed(figureOf('page', 'ms', [], 15))).toBe(true)
})
