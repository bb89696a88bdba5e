import { placed, progress } from '../drawing/motion.ts'
import { drawTangle } from './any-program.ts'
import { KINDS } from './three-kinds.ts'

/** The net fades, and the three kinds of contract turn where it was. */
export function fewerThings(pen: CanvasRenderingContext2D, time: number): void {
  const gone = progress(time, 0.8, 2.2)
  if (gone < 1) placed(pen, { x: 0, y: 0, strength: 1 - gone }, () => drawTangle(pen, 1, 1))
  KINDS.forEach(({ x, y, draw }, index) => {
    draw(pen, {
      x,
      y,
      scale: 1.22,
      part: progress(time, 1 + index * 0.2, 3 + index * 0.2),
      turn: 7 + time * 1.5,
    })
  })
}
