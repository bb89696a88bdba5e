import { engrave } from '../drawing/engrave.ts'
import { COPPER, GROUND, type Ink } from '../drawing/ink.ts'
import { drawCircle, fillDisc } from '../drawing/line.ts'
import type { Point } from '../drawing/motion.ts'
import { coinRim, coinStar } from './figures.ts'

type Coin = Point & { radius: number; part?: number; turn?: number; ink?: Ink; strength?: number }

/** A coin. Small ones are only a ring and a star. */
export function drawCoin(pen: CanvasRenderingContext2D, coin: Coin): void {
  const { x, y, radius, part = 1, turn = 0, ink = COPPER, strength = 1 } = coin
  if (part <= 0) return
  const engraving = { x, y, scale: radius / 100, turn, ink, strength, part }
  if (part >= 1) fillDisc(pen, { x, y }, radius, { ink: GROUND })
  drawCircle(pen, { x, y }, radius, { ink, strength, weight: radius > 30 ? 2 : 1.6, part })
  if (radius > 30) engrave(pen, coinRim, { ...engraving, weight: 0.9 })
  if (radius > 12) engrave(pen, coinStar, engraving)
  else fillDisc(pen, { x, y }, radius * 0.36, { ink, strength })
}
