import styles from './brand.module.css'
import { Drawing, type DrawingProps } from './drawing.tsx'
import { guilloche, type Guilloche, randomNumbersFrom } from './guilloche.ts'

type PartnerFigure = { look: 'solid' | 'line'; figures: Guilloche[] }

type Pick = ReturnType<typeof randomNumbersFrom>

/**
 * Ten families of marks with radius 100 that are clearly different from each other. Each varies slightly with its seed.
 */
const families: ((pick: Pick) => PartnerFigure)[] = [
  // A coin with petals.
  (pick) => solid({ inner: 30, outer: 98, lobes: 9 + 2 * pick(3), turns: 4, precision: 6 }),
  // A knot of three.
  (pick) => line({ inner: 26, outer: 96, lobes: 3, turns: 2, precision: 16, rings: 5, step: 5 + pick(2) }),
  // Bent blades.
  (pick) => solid({ inner: 24, outer: 98, lobes: 9 + 2 * pick(2), turns: 4, lean: 16, precision: 6 }),
  // Ripples.
  (pick) => solid({ inner: 90, outer: 98, lobes: 7 + pick(3), rings: 6, step: 16, twist: 11, precision: 4 }),
  // A sun with pointed rays.
  (pick) => solid({ inner: 58, outer: 98, lobes: 12 + pick(5), lean: -9, precision: 6 }, disc(46), disc(30)),
  // Chain loops.
  (pick) => line({ inner: 52, outer: 96, lobes: 13 + 2 * pick(3), turns: 2, lean: 24, precision: 8 }),
  // A square weave.
  (pick) =>
    line({
      inner: 20,
      outer: 98,
      lobes: 28,
      turns: 5,
      wave: 4,
      outerDepth: 30 + pick(5),
      innerDepth: 6,
      precision: 6,
    }),
  // A three-bladed mill.
  (pick) => solid({ inner: 8, outer: 98, lobes: 3, lean: 24 + pick(4), precision: 12 }, disc(98), disc(86)),
  // A shell: circles that lean into a spiral.
  (pick) => line({ inner: 60, outer: 97, lobes: 2, rings: 11, step: 5, twist: 12 + pick(3), precision: 10 }),
  // A beaded rim around a star.
  (pick) =>
    solid(
      { inner: 80, outer: 98, lobes: 12 },
      { inner: 80, outer: 98, lobes: 12, phase: 180 },
      { inner: 14, outer: 62, lobes: 5 + pick(3), precision: 8 },
    ),
]

function solid(...figures: Guilloche[]): PartnerFigure {
  return { look: 'solid', figures }
}

function line(...figures: Guilloche[]): PartnerFigure {
  return { look: 'line', figures }
}

function disc(radius: number): Guilloche {
  return { inner: radius, outer: radius, lobes: 8, precision: 1 }
}

/** The last digit of the seed chooses the family, the rest its variation. */
export function partnerFigure(seed: number): PartnerFigure {
  return families[Math.abs(seed) % families.length]!(randomNumbersFrom(String(seed)))
}

/**
 * A fictional company's mark in the color of the surrounding text. Seeds that end in different digits look unrelated.
 */
export function PartnerMark({ seed, size = 48, ...drawing }: DrawingProps & { seed: number }) {
  const { look, figures } = partnerFigure(seed)
  return (
    <Drawing radius={100} size={size} {...drawing}>
      <path className={styles[look]} d={figures.map(guilloche).join('')} />
    </Drawing>
  )
}
