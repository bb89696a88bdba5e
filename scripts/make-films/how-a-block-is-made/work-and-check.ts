import { COPPER, PAPER, QUIET } from '../drawing/ink.ts'
import { drawLine } from '../drawing/line.ts'
import { mix, type Point, progress } from '../drawing/motion.ts'
import { drawSeal } from '../props/seal.ts'
import { drawTick } from '../props/signs.ts'

const COLUMNS = 10
const ROWS = 7
const LAST = COLUMNS * ROWS - 1
export const FOUND = 'block 7'

function placeOf(index: number): Point {
  return { x: 110 + (index % COLUMNS) * 68, y: 106 + Math.floor(index / COLUMNS) * 69 }
}

/** Seventy tries, of which the last one closes; then a single tick, at once. */
export function workAndCheck(pen: CanvasRenderingContext2D, time: number): void {
  const reached = progress(time, 0.1, 3) * LAST
  for (let index = 0; index <= reached && index < LAST; index++) {
    const part = 0.25 + 0.4 * (((index * 53) % 17) / 17)
    const fresh = Math.max(0, 1 - (reached - index) / 6)
    drawSeal(pen, {
      ...placeOf(index),
      name: `try ${index}`,
      radius: 27,
      part,
      ink: QUIET,
      strength: 0.38 + 0.5 * fresh,
      weight: 0.9,
    })
  }
  const found = progress(time, 2.8, 3.4)
  const carried = progress(time, 3.3, 3.9)
  const last = placeOf(LAST)
  if (found <= 0) return
  drawSeal(pen, { ...last, name: FOUND, radius: 29, part: found })
  const at = { x: mix(last.x, 1010, carried), y: mix(last.y, 312, carried), radius: mix(29, 165, carried) }
  if (carried > 0) drawSeal(pen, { ...at, name: FOUND, ink: COPPER, weight: 1.2 })
  drawLine(
    pen,
    [
      { x: 790, y: 90 },
      { x: 790, y: 536 },
    ],
    found,
    { ink: PAPER, strength: 0.2, weight: 1.2 },
  )
  drawTick(pen, { x: 1170, y: 160, radius: 34, part: progress(time, 3.95, 4.25) })
}
