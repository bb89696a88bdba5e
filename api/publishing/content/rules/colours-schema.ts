import { z } from 'zod'

const colour = z.string().regex(/^#[0-9a-f]{6}$/, 'must be # and six digits, 0 to 9 or a to f')
const pair = z.strictObject({ light: colour, dark: colour })

const palette = z.strictObject({
  ground: pair,
  groundRaised: pair,
  text: pair,
  textQuiet: pair,
  line: pair,
  lineStrong: pair,
  copper: pair,
  copperStrong: pair,
  onCopper: pair,
  verdigris: pair,
  red: pair,
  yellow: pair,
  green: pair,
  icon: colour,
  documents: z.strictObject({
    coverGreen: colour,
    coverBrown: colour,
    coverSubtitle: colour,
    note: colour,
    warning: colour,
  }),
})

/** Foreground and background, each a path into the palette, and the minimum contrast. */
type Rule = { front: string; grounds: string[]; contrast: number }

/** WCAG 2.2, 1.4.3: text of ordinary size. */
const TEXT = 4.5
/** WCAG 2.2, 1.4.11: borders of controls and meaningful graphics. */
const GRAPHICS = 3

const rules: Rule[] = [
  ...['light', 'dark'].flatMap((mode): Rule[] => {
    const grounds = [`ground.${mode}`, `groundRaised.${mode}`]
    const texts = ['text', 'textQuiet', 'copper', 'copperStrong', 'verdigris', 'red', 'yellow', 'green']
    return [
      ...texts.map((name) => ({ front: `${name}.${mode}`, grounds, contrast: TEXT })),
      { front: `lineStrong.${mode}`, grounds, contrast: GRAPHICS },
      { front: `onCopper.${mode}`, grounds: [`copper.${mode}`, `copperStrong.${mode}`], contrast: TEXT },
    ]
  }),
  // Browsers show it on light and on dark bars.
  { front: 'icon', grounds: ['ground.light', 'ground.dark'], contrast: GRAPHICS },
  ...['text.dark', 'textQuiet.dark', 'documents.coverSubtitle'].map((front) => ({
    front,
    grounds: ['ground.dark', 'documents.coverGreen', 'documents.coverBrown'],
    contrast: TEXT,
  })),
  { front: 'text.light', grounds: ['documents.note', 'documents.warning'], contrast: TEXT },
  { front: 'verdigris.light', grounds: ['documents.note'], contrast: TEXT },
  { front: 'copper.light', grounds: ['documents.warning'], contrast: TEXT },
]

/** The colors of the brand; an unreadable pair is an error. */
export const colours = palette.superRefine((value, context) => {
  for (const { front, grounds, contrast } of rules)
    for (const ground of grounds) {
      const reached = contrastOf(colourAt(value, front), colourAt(value, ground))
      if (reached < contrast)
        context.addIssue({
          code: 'custom',
          path: front.split('.'),
          // Rounded down: 4.49 must not read as 4.5.
          message: `has a contrast of ${Math.floor(reached * 10) / 10}:1 on ${ground} but needs ${contrast}:1 to be readable`,
        })
    }
})

function colourAt(value: object, path: string): string {
  return path.split('.').reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], value) as string
}

/** Returns the contrast ratio of two colors, from 1 to 21: https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
export function contrastOf(one: string, other: string): number {
  const [dark, light] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b)
  return (light! + 0.05) / (dark! + 0.05)
}

function luminanceOf(hex: string): number {
  const [red, green, blue] = [...Buffer.from(hex.slice(1), 'hex')].map((byte) => {
    const part = byte / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}
