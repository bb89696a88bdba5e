import { COPPER, type Ink, LINE, PAPER, QUIET } from '../drawing/ink.ts'
import { drawCard, drawCircle, drawLine } from '../drawing/line.ts'
import type { Point } from '../drawing/motion.ts'
import { drawSeal } from './seal.ts'

type Block = Point & { name: string; side: number; ink?: Ink; strength?: number; part?: number; frame?: Ink }

/** A block of the chain: a square frame around its seal. */
export function drawBlock(pen: CanvasRenderingContext2D, block: Block): void {
  const { x, y, name, side, ink = COPPER, strength = 1, part = 1, frame = PAPER } = block
  const size = { width: side, height: side, radius: side * 0.05 }
  drawCard(pen, { x, y }, size, { ink: frame, strength: 0.85 * strength, weight: side > 60 ? 1.8 : 1.4 })
  if (side > 80) {
    const inset = { width: side - 12, height: side - 12, radius: side * 0.03, isHollow: true }
    drawCard(pen, { x, y }, inset, { ink: LINE, strength, weight: 1 })
  }
  drawSeal(pen, { name, x, y, radius: side * 0.37, part, ink, strength, weight: side > 60 ? 1 : 0.8 })
}

/** The link between two neighbors on one line, drawn from the newer one to the older one. */
export function drawTie(
  pen: CanvasRenderingContext2D,
  newer: Point,
  older: Point,
  { side, part }: { side: number; part: number },
): void {
  const from = { x: newer.x - side / 2, y: newer.y }
  const to = { x: older.x + side / 2, y: older.y }
  drawLine(pen, [from, to], part, { ink: QUIET, strength: 0.9, weight: 1.6 })
  const middle = { x: (from.x + to.x) / 2, y: from.y }
  drawCircle(pen, middle, Math.min(9, side * 0.08), {
    ink: COPPER,
    weight: 1.6,
    part: Math.max(0, part * 2 - 1),
  })
}
