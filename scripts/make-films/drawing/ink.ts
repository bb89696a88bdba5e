/** The brand's colours on the dark ground, as [red, green, blue]. */
export type Ink = readonly [red: number, green: number, blue: number]

export const GROUND: Ink = [0x0c, 0x14, 0x14]
export const RAISED: Ink = [0x13, 0x20, 0x20]
export const LINE: Ink = [0x2a, 0x39, 0x36]
export const PAPER: Ink = [0xf3, 0xef, 0xe4]
export const QUIET: Ink = [0xb9, 0xb5, 0xa6]
export const COPPER: Ink = [0xd9, 0x8a, 0x5b]
export const VERDIGRIS: Ink = [0x62, 0xb2, 0x9e]

/** The ink laid over the ground with the given strength, 0 to 1: opaque, so that crossing lines do not add up. */
export function tint(ink: Ink, strength: number, ground: Ink = GROUND): string {
  const mixed = ink.map((value, index) => Math.round(ground[index]! + (value - ground[index]!) * strength))
  return `rgb(${mixed.join(' ')})`
}

export function translucent(ink: Ink, alpha: number): string {
  return `rgb(${ink.join(' ')} / ${alpha.toFixed(3)})`
}
