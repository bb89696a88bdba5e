import styles from './thread-drawing.module.css'

const width = 1440
const height = 480
const middle = 240
/** There is one straight thread to its left and the cloth to its right. */
const knot = 470

type Cloth = { strands: number; wave: number; swell: number; bumps: number }

const cloths: (Cloth & { ink: 'copper' | 'verdigris' })[] = [
  { ink: 'verdigris', strands: 16, wave: 168, swell: 196, bumps: 0 },
  { ink: 'copper', strands: 18, wave: 252, swell: 150, bumps: 0.42 },
]

/** How far the cloth has opened at a position, from 0 at the knot to 1. */
function opening(x: number, bumps: number): number {
  const way = Math.min(1, Math.max(0, (x - knot) / (width - knot)))
  const eased = way * way * (3 - 2 * way)
  return eased * (1 - (bumps * (1 - Math.cos((x - knot) / 62))) / 2)
}

/** One curve from crest to trough, with horizontal handles so that the next curve joins smoothly. */
function strand({ wave, swell, bumps }: Cloth, phase: number): string {
  const half = wave / 2
  const reach = Math.round(half * 0.364)
  let path = `M${knot} ${middle}`
  for (let crest = 0, x = knot + half * phase; x < width + wave; crest++, x += half) {
    const y = Math.round(middle + (crest % 2 ? 1 : -1) * swell * opening(x, bumps))
    path += `S${Math.round(x) - reach} ${y} ${Math.round(x)} ${y}`
  }
  return path
}

const strandsOf = (cloth: Cloth): string =>
  Array.from({ length: cloth.strands }, (_, at) => {
    const part = (2 * (at + 0.5)) / cloth.strands
    return strand({ ...cloth, swell: part < 1 ? cloth.swell : -cloth.swell }, part % 1)
  }).join('')

const drawn = cloths.map((cloth) => ({ ink: cloth.ink, path: strandsOf(cloth) }))

/** A straight thread drawn out of a woven cloth. */
export function ThreadDrawing() {
  return (
    <svg className={styles.thread} viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none">
      {drawn.map(({ ink, path }) => (
        <path key={ink} className={styles[ink]} d={path} vectorEffect="non-scaling-stroke" />
      ))}
      <path className={styles.answer} d={`M-10 ${middle}H${knot}`} vectorEffect="non-scaling-stroke" />
    </svg>
  )
}
