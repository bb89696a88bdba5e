import { cpus } from 'node:os'
import { expect, test } from 'vitest'
import type { Turn } from '../measuring/figures.ts'
import type { Measured } from './measure-works.ts'
import { linesOf, missedWorks, worksTable } from './print-works.ts'
import type { Ceiling } from './works.ts'

const turn = (requests: number, program: number): Turn => ({
  requests,
  seconds: 1,
  program,
  database: 50,
  generator: 20,
  others: 0,
})
const ceiling = (name: Ceiling['name'], aim?: number): Ceiling => ({
  name,
  ...(aim !== undefined && { aim }),
  source: () => [],
})

const measured = (rate: number): Measured => {
  const ceilings = [ceiling('buffer', 0.8), ceiling('query')]
  return {
    work: { key: 'list', name: 'list', source: () => [], ceilings },
    ours: [turn(rate, 100)],
    other: [],
    ceilings: [
      { ceiling: ceilings[0]!, turns: [turn(1000, 50)] },
      { ceiling: ceilings[1]!, turns: [turn(400, 200)] },
    ],
  }
}

test('a ratio stands beside its aim, that by the processor in parentheses', () => {
  expect(linesOf(measured(500), false)).toEqual([
    [
      'list',
      '500 (500–500)',
      '0.200 + 0.100',
      'Fastify, finished response',
      '1000',
      '0.050 + 0.050',
      '0.50 (0.33)',
      '≥ 0.8 ✗',
    ],
    ['', '', '', 'Fastify with 1 query', '400', '0.500 + 0.125', '1.25 (2.08)', ''],
  ])
})

test('an aim is missed below it, and where its ceiling was not measured', () => {
  expect(missedWorks([measured(800)])).toEqual([])
  expect(missedWorks([measured(799)])).toEqual(['list'])
  const { ceilings, ...rest } = measured(800)
  expect(missedWorks([{ ...rest, ceilings: ceilings.slice(1) }])).toEqual(['list'])
})

test('where others take much of the machine, processor times are judged', () => {
  const { ours, ceilings, ...rest } = measured(800)
  const inTraffic = (turns: readonly Turn[]) =>
    turns.map((each) => ({ ...each, others: 500 * cpus().length }))
  const busy = {
    ...rest,
    ours: inTraffic(ours),
    ceilings: ceilings.map(({ ceiling, turns }) => ({ ceiling, turns: inTraffic(turns) })),
  }
  expect(worksTable([busy])).toContain('Others took 50 % of the machine: aims are judged by the processor.')
  expect(missedWorks([busy])).toEqual(['list'])
})
