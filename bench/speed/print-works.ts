import { cpus } from 'node:os'
import {
  figuresOf,
  partOfOthers,
  processorRatioOf,
  ratioOf,
  type Figures,
  type Turn,
} from '../measuring/figures.ts'
import { markdownTable } from '../measuring/markdown-table.ts'
import type { Measured } from './measure-works.ts'
import { ceilingNames } from './works.ts'

const processorHead = 'ms program + database'
const head = [
  'work',
  'a second (from–to)',
  processorHead,
  'against',
  'a second',
  processorHead,
  'ratio (by processor)',
  'aim',
]

/** Above this fraction, the throughput mainly shows what other processes left over. */
const othersMax = 0.15

const rateOf = (rate: number): string => rate.toFixed(rate < 100 ? 1 : 0)
const rateWithSpread = ({ rate, slowest, fastest }: Figures): string =>
  `${rateOf(rate)} (${rateOf(slowest)}–${rateOf(fastest)})`
const timeOf = (ms: number | undefined): string => (ms === undefined ? '–' : ms.toFixed(ms < 1 ? 3 : 2))
const timesOf = ({ program, database }: Figures): string => `${timeOf(program)} + ${timeOf(database)}`

/** Two decimals, or as many as are needed for two significant digits. */
const ratioText = (ratio: number): string => (ratio < 0.1 ? ratio.toPrecision(2) : ratio.toFixed(2))

/** The fraction of the machine that was used for something else, if the machine reports it. */
const takenByOthers = (measured: readonly Measured[]): number | undefined =>
  partOfOthers(
    measured.flatMap(({ ours, ceilings }) => [...ours, ...ceilings.flatMap(({ turns }) => turns)]),
    cpus().length,
  )

/** The ratio of rates or, if other processes used much of the machine, of processor times. */
function judgedRatio(ours: readonly Turn[], theirs: readonly Turn[], isBusy: boolean): number {
  const byProcessor = processorRatioOf(figuresOf(ours), figuresOf(theirs))
  return isBusy && byProcessor !== undefined ? byProcessor : ratioOf(ours, theirs)
}

/** One line for each comparison system. The first one also shows the product's own result. */
export function linesOf({ work, ours, other, ceilings }: Measured, isBusy: boolean): string[][] {
  const own = figuresOf(ours)
  const compare = (name: string, turns: readonly Turn[], aim: number | undefined) => {
    const theirs = figuresOf(turns)
    const byProcessor = processorRatioOf(own, theirs)
    const ratio = ratioText(ratioOf(ours, turns))
    const mark = aim === undefined ? '' : `≥ ${aim} ${judgedRatio(ours, turns, isBusy) >= aim ? '✓' : '✗'}`
    return [
      name,
      rateOf(theirs.rate),
      timesOf(theirs),
      byProcessor === undefined ? ratio : `${ratio} (${ratioText(byProcessor)})`,
      mark,
    ]
  }
  const against = ceilings.map(({ ceiling, turns }) =>
    compare(ceilingNames[ceiling.name], turns, ceiling.aim),
  )
  if (other.length > 0) against.push(compare('the other system', other, undefined))
  return against.map((cells, n) => [
    ...(n === 0 ? [work.name, rateWithSpread(own), timesOf(own)] : ['', '', '']),
    ...cells,
  ])
}

const isTooMuch = (others: number | undefined): boolean => others !== undefined && others > othersMax

export function worksTable(measured: readonly Measured[]): string {
  const others = takenByOthers(measured)
  const isBusy = isTooMuch(others)
  const note =
    others === undefined
      ? []
      : [
          '',
          `Others took ${Math.round(100 * others)} % of the machine: ${isBusy ? 'aims are judged by the processor' : 'aims are judged by rates'}.`,
        ]
  return [
    markdownTable(
      head,
      measured.flatMap((each) => linesOf(each, isBusy)),
    ),
    ...note,
  ].join('\n')
}

/** Tasks whose goal was missed, and those whose comparison system was not available. */
export function missedWorks(measured: readonly Measured[]): string[] {
  const isBusy = isTooMuch(takenByOthers(measured))
  return measured
    .filter(({ work, ours, ceilings }) =>
      work.ceilings.some(({ name, aim }) => {
        const found = ceilings.find(({ ceiling }) => ceiling.name === name)
        return aim !== undefined && (!found || judgedRatio(ours, found.turns, isBusy) < aim)
      }),
    )
    .map(({ work }) => work.name)
}
