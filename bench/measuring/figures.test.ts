import { expect, test } from 'vitest'
import { figuresOf, median, partOfOthers, processorRatioOf, ratioOf, type Turn } from './figures.ts'

const turn = (requests: number, program?: number): Turn => ({
  requests,
  seconds: 2,
  program,
  database: undefined,
  generator: undefined,
  others: undefined,
})

test('the median is the middle one, or the mean of two', () => {
  expect(median([5, 1, 3])).toBe(3)
  expect(median([4, 1, 3, 2])).toBe(2.5)
  expect(median([7])).toBe(7)
})

test('figures are medians, with the slowest and the fastest turn beside', () => {
  const figures = figuresOf([turn(200, 400), turn(100, 300), turn(300, 300)])
  expect(figures).toEqual({ rate: 100, slowest: 50, fastest: 150, program: 2, database: undefined })
})

test('a ratio is taken turn by turn, so that what slows both down does not change it', () => {
  expect(ratioOf([turn(100), turn(50), turn(10)], [turn(200), turn(100), turn(20)])).toBe(0.5)
})

test('by the processor, program and database count together', () => {
  const figures = (program: number | undefined, database: number) => ({
    ...figuresOf([turn(1)]),
    program,
    database,
  })
  expect(processorRatioOf(figures(3, 1), figures(1, 1))).toBe(0.5)
  expect(processorRatioOf(figures(undefined, 1), figures(1, 1))).toBeUndefined()
})

test('others take a part of all processors', () => {
  expect(partOfOthers([{ ...turn(1), others: 1000 }, { ...turn(1), others: 3000 }, turn(1)], 2)).toBe(0.5)
  expect(partOfOthers([turn(1)], 2)).toBeUndefined()
})
