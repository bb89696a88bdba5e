import { Woven } from '../../../kernel/brand/woven.tsx'
import type { Guilloche } from '../../../kernel/brand/guilloche.ts'
import styles from './drawings.module.css'

type Coin = {
  x: number
  y: number
  size: number
  ink: 'copper' | 'verdigris' | 'ink'
  face: Parameters<typeof Woven>[0]
}

const face = (figure: Guilloche, times: number, twist: number, shrink = 0) => ({
  figure,
  times,
  twist,
  shrink,
})

/** Three coins of the same kind. Each face is derived from its own numbers. */
const coins: Coin[] = [
  {
    x: 300,
    y: 290,
    size: 250,
    ink: 'copper',
    face: face({ inner: 20, outer: 80, lobes: 5, lean: 16 }, 24, 1.3, 0.02),
  },
  {
    x: 640,
    y: 190,
    size: 165,
    ink: 'verdigris',
    face: face({ inner: 26, outer: 80, lobes: 8 }, 20, 1.6, 0.026),
  },
  {
    x: 586,
    y: 462,
    size: 105,
    ink: 'ink',
    face: face({ inner: 16, outer: 80, lobes: 3, lean: 20 }, 20, 120 / 20),
  },
]

export function CoinsDrawing({ className }: { className?: string | undefined }) {
  return (
    <svg className={className} viewBox="0 0 840 600" aria-hidden="true">
      {coins.map(({ x, y, size, ink, face: shown }) => (
        <g key={x} transform={`translate(${x} ${y}) scale(${size / 100})`} className={styles[ink]}>
          <circle r="100" className={styles.disc} vectorEffect="non-scaling-stroke" />
          <circle
            r="93.5"
            strokeWidth="7"
            strokeDasharray="0.32 0.68"
            pathLength="180"
            className={styles.reeds}
          />
          <circle r="87" vectorEffect="non-scaling-stroke" />
          <Woven {...shown} className={styles.fine} />
        </g>
      ))}
    </svg>
  )
}
