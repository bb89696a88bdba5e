import { useId } from 'react'
import { Woven } from '../../../kernel/brand/woven.tsx'
import styles from './drawings.module.css'

const width = 1440
const height = 300
const rail = 150
const block = 30
const link = 8
const swell = 16
const sealRadius = 40
const checkpointEvery = 20

const written = (value: number) => String(Math.round(value * 10) / 10)

/** One block: strands that separate and meet again. Each half wave is one curve with handles at 4/3 of its height. */
function strands(length: number, heights: number[]): string {
  return heights
    .map((each) => {
      const handle = written((each * 4) / 3)
      return `M0 0c${written(length * 0.364)} ${handle} ${written(length * 0.636)} ${handle} ${length} 0`
    })
    .join('')
}

type Place = { x: number; kind: 'final' | 'open' | 'planned' | 'seal' }

/** From left to right: blocks before the last checkpoint, blocks after it, and future blocks. */
function layOut(): Place[] {
  const places: Place[] = []
  let x = -120
  for (let number = 0; x < width; number++) {
    const kind = number <= 21 ? 'final' : number <= 25 ? 'open' : 'planned'
    places.push({ x, kind })
    x += block + link
    if (number % checkpointEvery === 1) {
      places.push({ x: x + sealRadius, kind: 'seal' })
      x += 2 * sealRadius + link
    }
  }
  return places
}

const places = layOut()
const firstPlanned = places.find(({ kind }) => kind === 'planned')!.x
const branch = firstPlanned + 20
const sideBlock = 24
const sideStarts = Array.from({ length: 20 }, (_, at) => branch + 90 + at * (sideBlock + 6)).filter(
  (x) => x < width,
)
const sides = [-96, 96]

/** The chain as a woven cord with a seal after every twentieth block. Planned side chains are dashed. */
export function ChainDrawing({ className }: { className?: string | undefined }) {
  const id = useId()
  return (
    <svg
      className={className}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="xMaxYMid slice"
      aria-hidden="true"
    >
      <defs>
        <path id={`${id}final`} d={strands(block, [-16, -13, -10, -6.5, -3.2, 0, 3.2, 6.5, 10, 13, 16])} />
        <path id={`${id}open`} d={strands(block, [-swell, -6, 6, swell])} />
        <path id={`${id}planned`} d={strands(block, [-swell, swell])} />
        <path id={`${id}side`} d={strands(sideBlock, [-11, 11])} />
      </defs>
      {places.map(({ x, kind }) =>
        kind === 'seal' ? (
          <g key={`seal${x}`} transform={`translate(${x} ${rail}) scale(${sealRadius / 100})`}>
            <Woven
              figure={{ inner: 30, outer: 98, lobes: 12, lean: 8 }}
              times={6}
              twist={30 / 6}
              className={styles.verdigris}
            />
          </g>
        ) : (
          <use
            key={x}
            href={`#${id}${kind}`}
            transform={`translate(${x} ${rail})`}
            className={`${styles[chainInk[kind]]} ${styles.fine} ${kind === 'planned' ? styles.planned : ''}`}
          />
        ),
      )}
      {sides.map((side) => (
        <g key={side} className={`${styles.verdigris} ${styles.planned}`}>
          <path
            d={`M${branch} ${rail}C${branch + 50} ${rail} ${branch + 40} ${rail + side} ${branch + 84} ${rail + side}`}
          />
          {sideStarts.map((x) => (
            <use key={x} href={`#${id}side`} transform={`translate(${x} ${rail + side})`} />
          ))}
        </g>
      ))}
    </svg>
  )
}

const chainInk = { final: 'copper', open: 'ink', planned: 'quiet' } as const
