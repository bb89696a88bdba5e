import type { Guilloche } from '../../../web/brand/guilloche.ts'
import { engrave } from '../drawing/engrave.ts'
import { VERDIGRIS } from '../drawing/ink.ts'

const field: Guilloche = {
  inner: 420,
  outer: 640,
  lobes: 252,
  turns: 19,
  wave: 36,
  outerDepth: 36,
  innerDepth: 22,
}

/** A faint rosette that does not move behind any scene. */
export function backdrop(pen: CanvasRenderingContext2D): void {
  engrave(pen, field, { x: 1390, y: 760, ink: VERDIGRIS, strength: 0.12, weight: 1 })
}
