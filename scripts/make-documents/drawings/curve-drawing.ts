import { escapeHtml } from './escape-html.ts'

const WIDTH = 360
const HEIGHT = 150
const LEFT = 22
const RIGHT = 10
const BOTTOM = 16
const TOP = 20

/**
 * A quantity over evenly spaced times. The first row is `unit | top of the axis | step`; the others are `label |
 * value`. A third cell in the last row labels a dashed ceiling at the top. One unit is about one point.
 */
export function curveDrawing(rows: string[][], alt: string): string {
  const [[unit = '', topText = '', stepText = ''] = [], ...points] = rows
  const top = Number(topText)
  const step = Number(stepText)
  const xOf = (at: number) => LEFT + 8 + (at * (WIDTH - LEFT - 8 - RIGHT)) / (points.length - 1)
  const yOf = (value: number) => HEIGHT - BOTTOM - (value * (HEIGHT - BOTTOM - TOP)) / top
  const spots = points.map(([label = '', value], at) => ({
    label: escapeHtml(label),
    x: xOf(at).toFixed(1),
    y: yOf(Number(value)).toFixed(1),
  }))
  const line = spots.map(({ x, y }) => `${x} ${y}`).join('L')
  const area = `M${xOf(0)} ${yOf(0)}L${line}L${xOf(points.length - 1)} ${yOf(0)}z`
  const grid = Array.from({ length: Math.floor(top / step) + 1 }, (_, at) => at * step).map(
    (value) =>
      `<path class="grid" d="M${LEFT} ${yOf(value)}H${WIDTH}"/><text x="${LEFT - 5}" y="${yOf(value) + 2.5}" text-anchor="end">${value}</text>`,
  )
  const marks = spots.map(
    ({ label, x, y }) =>
      `<circle cx="${x}" cy="${y}" r="2"/><text x="${x}" y="${HEIGHT - 4}" text-anchor="middle">${label}</text>`,
  )
  const ceiling = points.at(-1)?.[2]
  const cap = ceiling
    ? `<path class="ceiling" d="M${LEFT} ${yOf(top)}H${WIDTH}"/><text class="ceiling-label" x="${WIDTH}" y="${yOf(top) - 5}" text-anchor="end">${escapeHtml(ceiling)}</text>`
    : ''
  return `<svg class="curve" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeHtml(alt)}"><text x="0" y="8">${escapeHtml(unit)}</text>${grid.join('')}<path class="area" d="${area}"/><path class="line" d="M${line}"/>${marks.join('')}${cap}</svg>`
}
