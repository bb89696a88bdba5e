import styles from './brand.module.css'
import { Drawing, type DrawingProps } from './drawing.tsx'
import { guilloche, type Guilloche } from './guilloche.ts'

type Ink = 'copper' | 'verdigris' | 'paper'

/** Figures with radius 200. Uncompressed, dial and coin are under 12 kB, light under 7.5 kB, and seal under 3 kB. */
export const rosetteFigures = {
  /** A woven rim around an engine-turned dial, for the large ornament of a page. */
  dial: [
    [
      'verdigris',
      { inner: 150, outer: 198, lobes: 60, turns: 7, wave: 12, outerDepth: 16, innerDepth: 10, precision: 4 },
    ],
    ['copper', { inner: 136, outer: 148, lobes: 12, rings: 9, step: 8.4, twist: 5.6, precision: 2 }],
    [
      'paper',
      { inner: 32, outer: 58, lobes: 36, turns: 5, wave: 12, outerDepth: 12, innerDepth: 4, precision: 4 },
    ],
    ['copper', { inner: 6, outer: 28, lobes: 12, turns: 5, precision: 3 }],
  ],
  /** A smooth reeded edge with a woven inner band: a coin seen from the front. */
  coin: [
    ['verdigris', { inner: 178, outer: 198, lobes: 85, turns: 7, precision: 2 }],
    [
      'copper',
      {
        inner: 118,
        outer: 176,
        lobes: 72,
        turns: 7,
        wave: 12,
        outerDepth: 16,
        innerDepth: 14,
        precision: 3,
      },
    ],
    ['verdigris', { inner: 100, outer: 108, lobes: 12, rings: 6, step: 8, twist: 5, precision: 2 }],
    ['paper', { inner: 18, outer: 46, lobes: 24, turns: 5, precision: 2 }],
  ],
  light: [
    [
      'verdigris',
      { inner: 152, outer: 198, lobes: 60, turns: 7, wave: 12, outerDepth: 18, innerDepth: 8, precision: 3 },
    ],
    [
      'copper',
      { inner: 92, outer: 148, lobes: 48, turns: 5, wave: 12, outerDepth: 10, innerDepth: 20, precision: 3 },
    ],
    ['paper', { inner: 16, outer: 84, lobes: 20, turns: 7, precision: 2 }],
  ],
  /** For sizes from 64 to 160 pixels: empty states, quotations, the end of an article. */
  seal: [
    ['copper', { inner: 120, outer: 196, lobes: 24, turns: 5, precision: 3 }],
    ['verdigris', { inner: 40, outer: 112, lobes: 18, turns: 5, precision: 3 }],
  ],
} satisfies Record<string, [ink: Ink, figure: Guilloche][]>

export type RosetteFigure = keyof typeof rosetteFigures

/** Drawn once and cached, because the figures never change. */
const paths = new Map<RosetteFigure, string[]>()

function rosettePaths(figure: RosetteFigure): string[] {
  const known = paths.get(figure)
  if (known) return known
  const drawn = rosetteFigures[figure].map(([, parameters]) => guilloche(parameters))
  paths.set(figure, drawn)
  return drawn
}

/** A rosette of several rings. Lines stay one pixel thin at any size. */
export function Rosette({
  figure = 'dial',
  className,
  ...drawing
}: DrawingProps & { figure?: RosetteFigure | undefined }) {
  return (
    <Drawing radius={200} className={className ? `${styles.metal} ${className}` : styles.metal} {...drawing}>
      {rosettePaths(figure).map((path, index) => (
        <path
          key={index}
          className={`${styles.line} ${styles.fine} ${styles[rosetteFigures[figure][index]![0]]}`}
          d={path}
        />
      ))}
    </Drawing>
  )
}
