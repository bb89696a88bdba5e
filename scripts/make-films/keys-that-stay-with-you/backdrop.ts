import type { Guilloche } from '../../../web/brand/guilloche.ts'
import { engrave } from '../drawing/engrave.ts'
import { VERDIGRIS } from '../drawing/ink.ts'

const field: Guilloche = { inner: 470, outer: 490, lobes: 18, rings: 22, step: 11, twist: 3.5 }

/** A faint engine-turned dial that stands still behind every scene. */
export function backdrop(pen: CanvasRenderingContext2D): void {
  engrave(pen, field, { x: 0, y: 720, ink: VERDIGRIS, strength: 0.13, weight: 1 })
}
