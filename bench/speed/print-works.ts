import { figuresOf, ratioOf, type Figures } from '../measuring/figures.ts'
import { markdownTable } from '../measuring/markdown-table.ts'
import type { Measured } from './measure-works.ts'
import { ceilingNames } from './works.ts'

const head = [
  'work',
  'a second (from, to)',
  'ms program',
  'ms database',
  'against',
  'a second',
  'ms program',
  'ratio (by processor)',
  'aim',
]

const rateOf = (rate: number): string => rate.toFixed(rate < 100 ? 1 : 0)
const rateWithSpread = ({ rate, slowest, fastest }: Figures): string =>
  `${rateOf(rate)} (${rateOf(slowest)}–${rateOf(fastest)})`
const timeOf = (ms: number | undefined): string => (ms === undefined ? '–' : ms.toFixed(ms < 1 ? 3 : 2))

/** Of two decimals, or of as many as it takes to say anything. */
const ratioText = (ratio: number): string => (ratio < 0.1 ? ratio.toPrecision(2) : ratio.toFixed(2))

/** One line for each ceiling; what the product did itself stands in the first of them. */
export function linesOf({ work, ours, other, ceilings }: Measured): string[][] {
  const own = figuresOf(ours)
  const compare = (name: string, turns: typeof ours, aim: number | undefined) => {
    const theirs = figuresOf(turns)
    const ratio = ratioOf(ours, turns)
    const byProcessor =
      own.program !== undefined && theirs.program !== undefined && own.program > 0
        ? ` (${ratioText(theirs.program / own.program)})`
        : ''
    const mark = aim === undefined ? '' : `≥ ${aim} ${ratio >= aim ? '✓' : '✗'}`
    return [name, rateOf(theirs.rate), timeOf(theirs.program), `${ratioText(ratio)}${byProcessor}`, mark]
  }
  const against = ceilings.map(({ ceiling, turns }) =>
    compare(ceilingNames[ceiling.name], turns, ceiling.aim),
  )
  if (other.length > 0) against.push(compare('the other system', other, undefined))
  return against.map((cells, n) => [
    ...(n === 0
      ? [work.name, rateWithSpread(own), timeOf(own.program), timeOf(own.database)]
      : ['', '', '', '']),
    ...cells,
  ])
}

export const worksTable = (measured: readonly Measured[]): string =>
  markdownTable(head, measured.flatMap(linesOf))

/** The works whose aim is missed, and those whose ceiling is not there. */
export const missedWorks = (measured: readonly Measured[]): string[] =>
  measured
    .filter(({ work, ours, ceilings }) =>
      work.ceilings.some(({ name, aim }) => {
        const found = ceilings.find(({ ceiling }) => ceiling.name === name)
        return aim !== undefined && (!found || ratioOf(ours, found.turns) < aim)
      }),
    )
    .map(({ work }) => work.name)
