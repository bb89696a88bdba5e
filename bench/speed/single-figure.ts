import { median } from '../measuring/figures.ts'
import { markdownTable } from '../measuring/markdown-table.ts'

/** A single measurement: its limit, and the value of each round. */
export type SingleFigure = {
  name: string
  unit: string
  value: number
  /** The smallest and the largest value of the rounds. */
  from: number
  to: number
  max?: number
}

export const figureOf = (
  name: string,
  unit: string,
  rounds: readonly number[],
  max?: number,
): SingleFigure => ({
  name,
  unit,
  value: median(rounds),
  from: Math.min(...rounds),
  to: Math.max(...rounds),
  ...(max !== undefined && { max }),
})

export const isMissed = ({ value, max }: SingleFigure): boolean => max !== undefined && !(value <= max)

const text = (value: number): string =>
  Number.isInteger(value) ? String(value) : value.toFixed(value < 1 ? 3 : value < 100 ? 1 : 0)

export const singlesTable = (figures: readonly SingleFigure[]): string =>
  markdownTable(
    ['figure', 'median', 'from', 'to', 'unit', 'aim'],
    figures.map((figure) => [
      figure.name,
      text(figure.value),
      text(figure.from),
      text(figure.to),
      figure.unit,
      figure.max === undefined ? '' : `≤ ${figure.max} ${isMissed(figure) ? '✗' : '✓'}`,
    ]),
  )
