import { randomNumbersFrom } from '../../../web/brand/guilloche.ts'
import { GROUND, PAPER, QUIET } from '../drawing/ink.ts'
import { drawCircle, drawLine, fillDisc } from '../drawing/line.ts'
import { type Point, progress } from '../drawing/motion.ts'

const pick = randomNumbersFrom('tangle')
const KNOTS: Point[] = Array.from({ length: 34 }, (_, index) => ({
  x: 190 + (index % 9) * 112 + pick(70),
  y: 90 + Math.floor(index / 9) * 120 + pick(80),
}))
const TIES = Array.from({ length: 62 }, (_, index) => ({
  from: index % KNOTS.length,
  to: (index + 1 + pick(12)) % KNOTS.length,
  isBroken: index % 11 === 5,
}))

/** A net in which everything is connected to everything; some connections are broken. */
export function drawTangle(pen: CanvasRenderingContext2D, grown: number, torn: number): void {
  TIES.forEach(({ from, to, isBroken }, index) => {
    const part = Math.min(1, Math.max(0, grown * 1.8 - (index / TIES.length) * 0.8))
    const ends = [KNOTS[from]!, KNOTS[to]!]
    drawLine(pen, ends, part, { ink: QUIET, strength: 0.42, weight: 1.3 })
    if (!isBroken || torn <= 0 || part < 1) return
    const middle = { x: (ends[0]!.x + ends[1]!.x) / 2, y: (ends[0]!.y + ends[1]!.y) / 2 }
    fillDisc(pen, middle, 15 * torn, { ink: GROUND })
    for (const sign of [-1, 1]) {
      const stroke = [
        { x: middle.x - 8, y: middle.y - 8 * sign },
        { x: middle.x + 8, y: middle.y + 8 * sign },
      ]
      drawLine(pen, stroke, torn, { ink: PAPER, weight: 2.6 })
    }
  })
  KNOTS.forEach((knot, index) => {
    const shown = Math.min(1, Math.max(0, grown * 2 - index / KNOTS.length))
    fillDisc(pen, knot, 13 * shown, { ink: GROUND })
    drawCircle(pen, knot, 13 * shown, { ink: PAPER, strength: 0.75, weight: 1.6 })
    fillDisc(pen, knot, 4 * shown, { ink: PAPER, strength: 0.75 })
  })
}

export function anyProgram(pen: CanvasRenderingContext2D, time: number): void {
  drawTangle(pen, progress(time, 0.1, 2.6), progress(time, 3, 3.6))
}
