import colours from '#content/colours.json' with { type: 'json' }
import { guilloche, type Guilloche } from '#web/kernel/brand/guilloche.ts'
import type { DocumentSource } from './document-source.ts'

type Tone = 'copper' | 'verdigris' | 'paper'
type Layer = { line: Guilloche; tone: Tone }
type Cover = { ground: Ground; layers: Layer[] }
/** Colors behind covers and plates, by class name. */
export const GROUND_COLOURS = {
  ink: colours.ground.dark,
  green: colours.documents.coverGreen,
  brown: colours.documents.coverBrown,
  light: colours.ground.light,
}
type Ground = keyof typeof GROUND_COLOURS

/** Petals, waves of the edge, slant, rings, and the total rotation of the rings as a fraction of a petal. */
type Flower = [petals: number, wave: number, lean: number, rings: number, turn: number]

/** Figures are drawn in a circle of this radius around 0,0. */
const REACH = 505

const BROCHURE: Cover = {
  ground: 'ink',
  layers: [
    {
      line: {
        inner: 390,
        outer: 500,
        lobes: 80,
        rings: 5,
        step: 5,
        twist: 0.4,
        wave: 16,
        outerDepth: 30,
        innerDepth: 24,
        lean: 4,
      },
      tone: 'copper',
    },
    {
      line: { inner: 320, outer: 425, lobes: 160, turns: 27, wave: 32, outerDepth: 30, innerDepth: 30 },
      tone: 'copper',
    },
    {
      line: { inner: 190, outer: 340, lobes: 128, turns: 33, wave: 16, outerDepth: 30, innerDepth: 26 },
      tone: 'verdigris',
    },
    { line: { inner: 60, outer: 205, lobes: 64, turns: 23, wave: 16, outerDepth: 22 }, tone: 'paper' },
  ],
}

const PAPER: Cover = {
  ground: 'light',
  layers: [
    {
      line: {
        inner: 180,
        outer: 500,
        lobes: 36,
        rings: 16,
        step: 8,
        twist: 0.3,
        lean: 14,
        wave: 12,
        outerDepth: 60,
      },
      tone: 'verdigris',
    },
    { line: { inner: 60, outer: 230, lobes: 36, rings: 10, step: 5, twist: -0.5, lean: 12 }, tone: 'copper' },
  ],
}

const BOOK: Cover = {
  ground: 'green',
  layers: [
    { line: { inner: 235, outer: 500, lobes: 48, rings: 14, step: 14, twist: 0.55, lean: 5 }, tone: 'paper' },
    {
      line: { inner: 330, outer: 500, lobes: 96, turns: 7, wave: 24, outerDepth: 26, innerDepth: 40 },
      tone: 'copper',
    },
  ],
}

const FLOWERS: Flower[] = [
  [28, 14, 14, 16, 0.7],
  [32, 16, 7, 14, 0.6],
  [30, 6, 10, 16, 1],
  [40, 10, 3, 12, 1.4],
  [36, 12, 9, 16, 0.5],
  [48, 8, 4, 10, 1],
  [20, 10, 13, 20, 0.8],
  [42, 14, 6, 14, 1.2],
  [24, 8, 5, 18, 1],
  [54, 18, 3, 10, 1],
]

/** A dark background and the contrasting tones of petals and center, used in turn. */
const GROUNDS: { name: Ground; tones: [flower: Tone, heart: Tone][] }[] = [
  {
    name: 'ink',
    tones: [
      ['copper', 'verdigris'],
      ['verdigris', 'copper'],
      ['paper', 'copper'],
    ],
  },
  {
    name: 'green',
    tones: [
      ['copper', 'verdigris'],
      ['paper', 'copper'],
    ],
  },
  {
    name: 'brown',
    tones: [
      ['verdigris', 'copper'],
      ['copper', 'verdigris'],
    ],
  },
]

/** One of a family of figures: the same construction with different parameters. */
function flower(index: number, [outer, heart]: [Tone, Tone]): Layer[] {
  const [petals, wave, lean, rings, turn] = FLOWERS[index % FLOWERS.length]!
  const twist = ((360 / petals) * turn) / rings
  return [
    {
      line: { inner: 210, outer: 500, lobes: petals, rings, step: 9, twist, lean, wave, outerDepth: 60 },
      tone: outer,
    },
    // 97 is prime, so the line closes after any number of turns.
    { line: { inner: 55, outer: 215, lobes: 97, turns: 20 + (index % 20) }, tone: heart },
  ]
}

const MANUALS_PER_GROUND = 4

/** One engraved figure as SVG. It is decorative, so it is hidden from assistive technology. */
function engraving(layers: Layer[], className: string, box: string): string {
  const paths = layers.map(
    ({ line, tone }) => `<path class="${tone}" d="${guilloche({ precision: 3, ...line })}"/>`,
  )
  return `<svg class="${className}" viewBox="${box}" preserveAspectRatio="xMidYMid slice" aria-hidden="true">${paths.join('')}</svg>`
}

const WHOLE = `${-REACH} ${-REACH} ${2 * REACH} ${2 * REACH}`

type CoverArt = { ground: Ground; svg: string }

/** The figure of a document and its background. */
export function coverArt({ kind, number }: DocumentSource): CoverArt {
  if (kind !== 'manual') {
    const { ground, layers } = { brochure: BROCHURE, paper: PAPER, book: BOOK }[kind]
    return { ground, svg: engraving(layers, 'art', WHOLE) }
  }
  const index = (number ?? 1) - 1
  const { name, tones } = GROUNDS[Math.floor(index / MANUALS_PER_GROUND) % GROUNDS.length]!
  return { ground: name, svg: engraving(flower(index, tones[index % tones.length]!), 'art', WHOLE) }
}

/** The center of each plate on its figure: away from the figure's center, and well inside its edge. */
const PLATE_CENTRES: [x: number, y: number][] = [
  [60, -260],
  [-130, 170],
  [40, -90],
  [-60, 250],
  [150, -170],
]
const PLATE_WIDTH = 1000
const PLATE_HEIGHT = 380

/** A wide detail of a figure that fills the rest of a brochure's page. */
export function plate(index: number): string {
  const [x, y] = PLATE_CENTRES[index % PLATE_CENTRES.length]!
  const box = `${x - PLATE_WIDTH / 2} ${y - PLATE_HEIGHT / 2} ${PLATE_WIDTH} ${PLATE_HEIGHT}`
  const { name, tones } = GROUNDS[index % GROUNDS.length]!
  return `<div class="plate ${name}">${engraving(flower(index + 3, tones[index % tones.length]!), 'art', box)}</div>`
}

/** The logo mark, drawn with the same line as on the site. */
export function mark(): string {
  const line = { inner: 22, outer: 98, lobes: 8, turns: 3, lean: 18, precision: 6 }
  return engraving([{ line, tone: 'copper' }], 'mark', '-100 -100 200 200')
}
