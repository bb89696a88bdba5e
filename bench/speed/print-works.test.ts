import { expect, test } from 'vitest'
import type { Turn } from '../measuring/figures.ts'
import type { Measured } from './measure-works.ts'
import { linesOf, missedWorks } from './print-works.ts'
import type { Ceiling } from './works.ts'

const turn = (requests: number, program: number): Turn => ({ requests, seconds: 1, program, database: 50 })
const ceiling = (name: Ceiling['name'], aim?: number): Ceiling => ({
  name,
  ...(aim !== undefined && { aim }),
  next: () => () => Buffer.of(),
})

const measured = (rate: number): Measured => {
  const ceilings = [ceiling('buffer', 0.8), ceiling('query')]
  return {
    work: { key: 'list', name: 'list', next: () => () => Buffer.of(), ceilings },
    ours: [turn(rate, 100)],
    other: [],
    ceilings: [
      { ceiling: ceilings[0]!, turns: [turn(1000, 50)] },
      { ceiling: ceilings[1]!, turns: [turn(400, 200)] },
    ],
  }
}

test('a ratio stands beside its aim, that by the processor in parentheses', () => {
  expect(linesOf(measured(500))).toEqual([
    [
      'list',
      '500 (500–500)',
      '0.200',
      '0.100',
      'Fastify, ready buffer',
      '1000',
      '0.050',
      '0.50 (0.25)',
      '≥ 0.8 ✗',
    ],
    ['', '', '', '', 'Fastify + 1 query', '400', '0.500', '1.25 (2.50)', ''],
  ])
})

test('an aim is missed below it, and where its ceiling was not measured', () => {
  expect(missedWorks([measured(800)])).toEqual([])
  expect(missedWorks([measured(799)])).toEqual(['list'])
  const { ceilings, ...rest } = measured(800)
  expect(missedWorks([{ ...rest, ceilings: ceilings.slice(1) }])).toEqual(['list'])
})
