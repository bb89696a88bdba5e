import { contrastOf } from '#api/publishing/content/rules/colours-schema.ts'

type Pair = { light: string; dark: string }
/** The colors of the palette that carry the brand. The others are backgrounds, text colors, and status colors. */
type BrandColours = {
  copper: Pair
  copperStrong: Pair
  onCopper: Pair
  verdigris: Pair
  icon: string
}
export type Palette = {
  ground: Pair
  groundRaised: Pair
  text: Pair
  textQuiet: Pair
  documents: Record<string, string>
} & BrandColours

/** Minimum contrast according to WCAG 2.2, for text and for graphics. */
const TEXT = 4.5
const GRAPHICS = 3

const partsOf = (hex: string): number[] => [...Buffer.from(hex.slice(1), 'hex')]
const mixed = (one: string, other: string, share: number): string => {
  const there = partsOf(other)
  const parts = partsOf(one).map((part, at) => Math.round(part + ((there[at] ?? 0) - part) * share))
  return `#${Buffer.from(parts).toString('hex')}`
}
const leastOn = (colour: string, grounds: readonly string[]): number =>
  Math.min(...grounds.map((ground) => contrastOf(colour, ground)))

/**
 * Returns the color itself if it is legible on all backgrounds, otherwise the nearest one toward black or white that
 * is.
 */
function readable(colour: string, grounds: readonly string[], towards: string, contrast: number): string {
  for (let step = 0; step <= 100; step += 2) {
    const tried = mixed(colour, towards, step / 100)
    if (leastOn(tried, grounds) >= contrast) return tried
  }
  return towards
}

const [black, white] = ['#000000', '#ffffff']

/**
 * Returns the palette with a project's own two colors, darkened or lightened where they would not be legible, and a
 * description of these changes.
 */
export function mixColours<Given extends Palette>(
  palette: Given,
  accent: string,
  second: string,
): { palette: Given; told: string[] } {
  const grounds = {
    light: [palette.ground.light, palette.groundRaised.light],
    dark: [palette.ground.dark, palette.groundRaised.dark],
  }
  const told: string[] = []
  const pairOf = (name: string, colour: string, noteOfDocuments: string | undefined): Pair => {
    // In documents, the color is also used on a tinted note.
    const light = readable(colour, [...grounds.light, noteOfDocuments ?? white], black, TEXT)
    const dark = readable(colour, grounds.dark, white, TEXT)
    for (const [mode, got] of [
      ['light', light],
      ['dark', dark],
    ] as const)
      told.push(
        `${name} on ${mode} grounds: ${got}, contrast ${Math.floor(leastOn(got, grounds[mode]) * 10) / 10}:1` +
          (got === colour
            ? ''
            : ` (${colour} has ${Math.floor(leastOn(colour, grounds[mode]) * 10) / 10}:1; ${TEXT}:1 is needed)`),
      )
    return { light, dark }
  }
  const onCovers = [palette.text.dark, palette.textQuiet.dark, palette.documents['coverSubtitle'] ?? white]
  const coverOf = (colour: string) => readable(mixed(colour, black, 0.55), onCovers, black, TEXT)
  const copper = pairOf('accent', accent, palette.documents['warning'])
  const copperStrong = { light: mixed(copper.light, black, 0.2), dark: mixed(copper.dark, white, 0.25) }
  const onOne = (mode: 'light' | 'dark'): string => {
    const wanted = [copper[mode], copperStrong[mode]]
    const choices = [palette.onCopper[mode], white, black]
    return choices.find((each) => leastOn(each, wanted) >= TEXT) ?? white
  }
  const onBoth = [palette.ground.light, palette.ground.dark]
  const icons = [
    accent,
    ...[0.1, 0.2, 0.3, 0.4, 0.5, 0.6].flatMap((by) => [mixed(accent, black, by), mixed(accent, white, by)]),
  ]
  const icon = icons.find((each) => leastOn(each, onBoth) >= GRAPHICS) ?? palette.icon
  told.push(`icon: ${icon}, contrast ${Math.floor(leastOn(icon, onBoth) * 10) / 10}:1 on light and dark`)
  return {
    palette: {
      ...palette,
      copper,
      copperStrong,
      onCopper: { light: onOne('light'), dark: onOne('dark') },
      verdigris: pairOf('second colour', second, palette.documents['note']),
      icon,
      documents: {
        ...palette.documents,
        coverGreen: coverOf(second),
        coverBrown: coverOf(accent),
      },
    },
    told,
  }
}
