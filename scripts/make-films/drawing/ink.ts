// A relative path, because the film's browser cannot resolve `#content`.
import colours from '../../../content/colours.json' with { type: 'json' }

/** The brand's colors for the dark background, as [red, green, blue]. */
export type Ink = readonly [red: number, green: number, blue: number]

const inkOf = (hex: string): Ink => [
  Number.parseInt(hex.slice(1, 3), 16),
  Number.parseInt(hex.slice(3, 5), 16),
  Number.parseInt(hex.slice(5, 7), 16),
]

export const GROUND = inkOf(colours.ground.dark)
export const LINE = inkOf(colours.line.dark)
export const PAPER = inkOf(colours.text.dark)
export const QUIET = inkOf(colours.textQuiet.dark)
export const COPPER = inkOf(colours.copper.dark)
export const VERDIGRIS = inkOf(colours.verdigris.dark)

/**
 * The ink blended with the background at the given strength, from 0 to 1. It is opaque, so that crossing lines do not
 * add up.
 */
export function tint(ink: Ink, strength: number, ground: Ink = GROUND): string {
  const mixed = ink.map((value, index) => Math.round(ground[index]! + (value - ground[index]!) * strength))
  return `rgb(${mixed.join(' ')})`
}

export function translucent(ink: Ink, alpha: number): string {
  return `rgb(${ink.join(' ')} / ${alpha.toFixed(3)})`
}
