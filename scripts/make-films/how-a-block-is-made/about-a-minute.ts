import { COPPER, PAPER, QUIET } from '../drawing/ink.ts'
import { drawCircle, drawLine, fillDisc } from '../drawing/line.ts'
import { onCircle, progress } from '../drawing/motion.ts'
import { drawSeal } from '../props/seal.ts'
import { FOUND } from './work-and-check.ts'

const CENTRE = { x: 640, y: 316 }
const TICKS = 60

/** A hand goes round a dial of sixty strokes once, and as it returns to the top the seal closes. */
export function aboutAMinute(pen: CanvasRenderingContext2D, time: number): void {
  const sweep = Math.min(1, Math.max(0, (time - 0.4) / 3.4))
  for (let index = 0; index < TICKS; index++) {
    const isPassed = index / TICKS < sweep
    const length = index % 5 === 0 ? 30 : 18
    const stroke = [onCircle(CENTRE, 258, index * 6), onCircle(CENTRE, 258 - length, index * 6)]
    drawLine(pen, stroke, 1, {
      ink: isPassed ? COPPER : QUIET,
      strength: isPassed ? 1 : 0.35,
      weight: index % 5 ? 1.6 : 2.4,
    })
  }
  const tip = onCircle(CENTRE, 216, sweep * 360)
  drawLine(pen, [onCircle(CENTRE, 176, sweep * 360), tip], 1, { ink: PAPER, weight: 2.4 })
  fillDisc(pen, tip, 4, { ink: PAPER })
  drawSeal(pen, { ...CENTRE, name: FOUND, radius: 162, part: sweep, weight: 1.2 })
  const ripple = progress(time, 3.8, 4.8)
  if (ripple > 0)
    drawCircle(pen, CENTRE, 262 + 40 * ripple, { ink: COPPER, strength: 0.8 * (1 - ripple), weight: 2 })
}
