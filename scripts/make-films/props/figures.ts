import { type Guilloche, rosetteFor } from '../../../web/kernel/brand/guilloche.ts'

/** Figures of radius 100 that are used in every film. */
export const coinRim: Guilloche = { inner: 84, outer: 99, lobes: 60, turns: 7 }
export const coinStar: Guilloche = { inner: 12, outer: 76, lobes: 16, turns: 7, lean: 6 }
export const keyBow: Guilloche = { inner: 34, outer: 99, lobes: 24, turns: 7, wave: 12, outerDepth: 8 }
export const halo: Guilloche = { inner: 78, outer: 99, lobes: 72, turns: 5, wave: 24, outerDepth: 6 }
/** The lines of an engraved portrait: waves around the head, radius 100 at the shoulders. */
export const portrait: Guilloche = { inner: 236, outer: 246, lobes: 36, rings: 26, step: 8, twist: 5 }
export const nodeFace: Guilloche = { inner: 30, outer: 99, lobes: 12, turns: 5 }

const seals = new Map<string, [band: Guilloche, core: Guilloche]>()

/** Returns the seal of a block, payment, or person: the rosette of its name, always as the same object. */
export function sealOf(name: string): [band: Guilloche, core: Guilloche] {
  const known = seals.get(name)
  if (known) return known
  const seal = rosetteFor(name)
  seals.set(name, seal)
  return seal
}
