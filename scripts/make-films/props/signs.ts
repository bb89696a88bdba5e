import { GROUND, type Ink, PAPER, QUIET, VERDIGRIS } from '../drawing/ink.ts'
import { drawCircle, drawLine, fillDisc } from '../drawing/line.ts'
import type { Point } from '../drawing/motion.ts'

type Sign = Point & { radius: number; part?: number; ink?: Ink }

/** A tick: checked and found valid. */
export function drawTick(
  pen: CanvasRenderingContext2D,
  { x, y, radius, part = 1, ink = VERDIGRIS }: Sign,
): void {
  if (part <= 0) return
  fillDisc(pen, { x, y }, radius, { ink: GROUND })
  drawCircle(pen, { x, y }, radius, { ink, weight: 1.8, part: Math.min(1, part * 1.6) })
  const points = [
    { x: x - radius * 0.42, y: y + radius * 0.04 },
    { x: x - radius * 0.1, y: y + radius * 0.36 },
    { x: x + radius * 0.46, y: y - radius * 0.34 },
  ]
  drawLine(pen, points, Math.max(0, part * 1.6 - 0.6), { ink, weight: Math.max(2, radius * 0.13) })
}

/** Not done or not allowed: one straight line through the drawing, with space cut out on both sides. */
export function drawStrike(
  pen: CanvasRenderingContext2D,
  { x, y, radius, part = 1, ink = PAPER }: Sign,
): void {
  const points = [
    { x: x - radius, y: y - radius },
    { x: x + radius, y: y + radius },
  ]
  drawLine(pen, points, part, { ink: GROUND, weight: 16 })
  drawLine(pen, points, part, { ink, weight: 3 })
}

/** A magnifying lens. The caller draws what it shows, clipped to its circle. */
export function drawLens(pen: CanvasRenderingContext2D, { x, y, radius }: Sign): void {
  drawCircle(pen, { x, y }, radius, { ink: PAPER, weight: 2.4 })
  drawCircle(pen, { x, y }, radius + 5, { ink: QUIET, strength: 0.5, weight: 1 })
  const edge = (radius + 5) * Math.SQRT1_2
  const handle = [
    { x: x + edge, y: y + edge },
    { x: x + edge + radius * 0.62, y: y + edge + radius * 0.62 },
  ]
  drawLine(pen, handle, 1, { ink: PAPER, weight: 5 })
}
