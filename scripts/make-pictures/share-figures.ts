import ambassadors from '#content/facts/ambassadors.json' with { type: 'json' }
import { petalsFor } from '../../web/ambassadors/petals-for.ts'
import { type Guilloche, rosetteFor } from '../../web/kernel/brand/guilloche.ts'

type Ink = 'copper' | 'verdigris' | 'paper'
export type Ring = {
  ink: Ink
  figure: Guilloche
  strength: number
  at?: { x: number; y: number; scale: number }
}

const core: Ring[] = [
  {
    ink: 'paper',
    strength: 0.8,
    figure: { inner: 64, outer: 104, lobes: 90, turns: 7, wave: 18, outerDepth: 16, innerDepth: 8 },
  },
  {
    ink: 'copper',
    strength: 1,
    figure: { inner: 10, outer: 60, lobes: 36, turns: 13, wave: 12, outerDepth: 16 },
  },
]
const spiral: Guilloche = { inner: 286, outer: 302, lobes: 24, rings: 25, step: 7.5, twist: 2.6 }

const home: Ring[] = [
  {
    ink: 'verdigris',
    strength: 0.4,
    figure: { inner: 448, outer: 610, lobes: 144, turns: 13, wave: 36, outerDepth: 32, innerDepth: 20 },
  },
  {
    ink: 'copper',
    strength: 0.85,
    figure: { inner: 312, outer: 432, lobes: 240, turns: 23, wave: 24, outerDepth: 36, innerDepth: 24 },
  },
  { ink: 'verdigris', strength: 0.9, figure: spiral },
  ...core,
]

const petals = petalsFor(ambassadors.length)

/** A rosette in the place of each petal, on a circle where twelve full-size rosettes touch. */
const people: Ring[] = Array.from({ length: petals }, (_, index) => {
  const angle = (index * 2 * Math.PI) / petals
  const at = { x: 300 * Math.cos(angle), y: 300 * Math.sin(angle), scale: 0.72 * Math.min(1.2, 12 / petals) }
  const [band, heart] = rosetteFor(`person ${index}`)
  const ink: Ink = index % 2 ? 'verdigris' : 'copper'
  return [band, heart].map((figure) => ({ ink, strength: 0.95, figure, at }))
}).flat()

/**
 * The rosettes of each public page by route name, with a radius of about 430 around the center. `site` is for all
 * others.
 */
export const shareFigures: Record<string, Ring[]> = {
  home,
  site: home,
  project: [
    {
      ink: 'copper',
      strength: 0.45,
      figure: { inner: 430, outer: 600, lobes: 120, turns: 11, wave: 12, outerDepth: 60, innerDepth: 40 },
    },
    {
      ink: 'verdigris',
      strength: 0.9,
      figure: { inner: 400, outer: 420, lobes: 18, rings: 27, step: 11.4, twist: 4.2 },
    },
    ...core,
  ],
  news: [
    {
      ink: 'copper',
      strength: 0.9,
      figure: { inner: 190, outer: 430, lobes: 216, turns: 19, wave: 12, outerDepth: 80, innerDepth: 50 },
    },
    { ink: 'verdigris', strength: 0.7, figure: { inner: 446, outer: 470, lobes: 180, turns: 7 } },
    {
      ink: 'verdigris',
      strength: 0.9,
      figure: { inner: 118, outer: 180, lobes: 72, turns: 7, wave: 12, outerDepth: 14 },
    },
    ...core,
  ],
  help: [
    { ink: 'verdigris', strength: 0.75, figure: { inner: 392, outer: 440, lobes: 160, turns: 7 } },
    {
      ink: 'copper',
      strength: 0.85,
      figure: { inner: 236, outer: 382, lobes: 180, turns: 17, wave: 18, outerDepth: 34, innerDepth: 30 },
    },
    {
      ink: 'paper',
      strength: 0.5,
      figure: { inner: 218, outer: 230, lobes: 18, rings: 12, step: 9, twist: 5 },
    },
    ...core,
  ],
  ambassadorProgram: [
    {
      ink: 'verdigris',
      strength: 0.4,
      figure: { inner: 400, outer: 560, lobes: 144, turns: 13, wave: 36, outerDepth: 32, innerDepth: 20 },
    },
    ...people,
    {
      ink: 'paper',
      strength: 0.6,
      figure: { inner: 150, outer: 206, lobes: 96, turns: 7, wave: 24, outerDepth: 14, innerDepth: 10 },
    },
    ...core,
  ],
}
