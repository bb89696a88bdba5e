import type { Guilloche } from '../../../web/brand/guilloche.ts'
import { engrave } from '../drawing/engrave.ts'
import { VERDIGRIS } from '../drawing/ink.ts'

const field: Guilloche = {
  inner: 300,
  outer: 520,
  lobes: 192,
  turns: 17,
  wave: 24,
  outerDepth: 40,
  innerDepth: 24,
}

/** A faint rosette that stands still behind every scene. */
export function backdrop(pen: CanvasRenderingContext2D): void {
  engrave(pen, field, { x: 1330, y: 10, ink: VERDIGRIS, strength: 0.12, weight: 1 })
}
