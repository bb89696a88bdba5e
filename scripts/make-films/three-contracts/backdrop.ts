import type { Guilloche } from '../../../web/brand/guilloche.ts'
import { engrave } from '../drawing/engrave.ts'
import { VERDIGRIS } from '../drawing/ink.ts'

const field: Guilloche = {
  inner: 330,
  outer: 560,
  lobes: 220,
  turns: 19,
  wave: 20,
  outerDepth: 50,
  innerDepth: 30,
}

/** A faint rosette that stands still behind every scene. */
export function backdrop(pen: CanvasRenderingContext2D): void {
  engrave(pen, field, { x: 640, y: 860, ink: VERDIGRIS, strength: 0.12, weight: 1 })
}
