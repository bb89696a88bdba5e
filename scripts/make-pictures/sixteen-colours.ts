import sharp from 'sharp'
import colours from '#content/colours.json' with { type: 'json' }

const rgbOf = (hex: string) => [...Buffer.from(hex.slice(1), 'hex')]

const GROUND = rgbOf(colours.ground.dark)
const INKS = [colours.copper, colours.verdigris, colours.text].map(({ dark }) => rgbOf(dark))
const TINTS = [0.12, 0.28, 0.5, 0.74, 1]

/** The background and five tints of each ink: as many colors as four bits per pixel allow. */
const palette = [
  GROUND,
  ...INKS.flatMap((ink) => TINTS.map((tint) => ink.map((value, axis) => mixed(GROUND[axis]!, value, tint)))),
]

function mixed(from: number, to: number, part: number): number {
  return Math.round(from + (to - from) * part)
}

function nearest(red: number, green: number, blue: number): number[] {
  const distance = ([r, g, b]: number[]) => (r! - red) ** 2 + (g! - green) ** 2 + (b! - blue) ** 2
  return palette.reduce((best, colour) => (distance(colour) < distance(best) ? colour : best))
}

/**
 * Converts to a PNG with the brand's own sixteen colors. It is half the size of one with 256 colors, and the mark keeps
 * its exact copper, which a palette based on pixel counts would lose among so many fine lines.
 */
export async function inSixteenColours(png: Buffer): Promise<Buffer> {
  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const known = new Map<number, number[]>()
  for (let at = 0; at < data.length; at += 3) {
    const key = data.readUIntBE(at, 3)
    const colour = known.get(key) ?? nearest(data[at]!, data[at + 1]!, data[at + 2]!)
    known.set(key, colour)
    data.set(colour, at)
  }
  const raw = { width: info.width, height: info.height, channels: 3 as const }
  return sharp(data, { raw })
    .png({ palette: true, colours: palette.length, dither: 0, effort: 10 })
    .toBuffer()
}
