import { engrave } from '../drawing/engrave.ts'
import { COPPER, type Ink } from '../drawing/ink.ts'
import type { Point } from '../drawing/motion.ts'
import { sealOf } from './figures.ts'

type Seal = Point & {
  name: string
  radius: number
  part?: number
  ink?: Ink
  strength?: number
  weight?: number
  turn?: number
}

/** A two-ring rosette that belongs to one name. */
export function drawSeal(
  pen: CanvasRenderingContext2D,
  { name, radius, part = 1, ink = COPPER, ...rest }: Seal,
): void {
  const [band, core] = sealOf(name)
  const engraving = { ...rest, ink, scale: radius / 100 }
  engrave(pen, band, { ...engraving, part: Math.min(1, part * 1.4) })
  engrave(pen, core, { ...engraving, part: Math.max(0, part * 1.4 - 0.4) })
}
