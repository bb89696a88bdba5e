import { Woven } from '../../../kernel/brand/woven.tsx'
import styles from './drawings.module.css'

const middle = 300
const top = 24
const ring = { y: 300, radius: 100 }
const givers = Array.from({ length: 41 }, (_, at) => (at - 20) * 14)

const there = (giver: number) =>
  `M${middle + giver} ${top}C${middle + giver} 150 ${middle + giver * 0.3} 130 ${middle + giver * 0.16} ${ring.y - ring.radius}`

/** A path that leaves the ring at the bottom, runs around it, and leads up to the donor. */
function back(giver: number): string {
  const side = Math.sign(giver)
  const reach = Math.abs(giver)
  return (
    `M${middle + side * 40} ${ring.y + ring.radius - 8}` +
    `C${middle + side * (60 + reach * 0.35)} ${ring.y + 150 + reach * 0.16} ` +
    `${middle + giver * 1.12 + side * 24} ${ring.y + 60} ${middle + giver} ${top}`
  )
}

const bundle = [-8, -4, 0, 4, 8].map(
  (offset) =>
    `M${middle + offset * 4} ${ring.y + ring.radius}C${middle + offset} ${ring.y + 150} ${middle} ${ring.y + 190} ${middle} 566`,
)

/** Coins flow from donors into the contract, then on to the organizer or, along dashed lines, back to each donor. */
export function CampaignDrawing({ className }: { className?: string | undefined }) {
  return (
    <svg className={className} viewBox="0 0 600 600" aria-hidden="true">
      <path
        className={`${styles.verdigris} ${styles.planned}`}
        d={givers
          .filter((giver) => Math.abs(giver) % 28 === 14)
          .map(back)
          .join('')}
      />
      <path className={`${styles.copper} ${styles.fine}`} d={givers.map(there).join('')} />
      <path className={styles.copper} d={bundle.join('')} />
      <g transform={`translate(${middle} ${ring.y})`}>
        <circle r={ring.radius} className={styles.ground} />
        <circle r={ring.radius} className={styles.ink} />
        <circle r={ring.radius - 7} className={styles.dial} pathLength="60" strokeDasharray="0.12 0.88" />
        <g transform={`scale(${(ring.radius - 16) / 100})`}>
          <Woven
            figure={{ inner: 30, outer: 98, lobes: 10, lean: 6 }}
            times={14}
            twist={36 / 14}
            className={`${styles.copper} ${styles.fine}`}
          />
        </g>
      </g>
      {givers.map((giver) => (
        <circle key={giver} cx={middle + giver} cy={top} r="2.6" className={styles.full} />
      ))}
      <circle cx={middle} cy="576" r="11" className={styles.full} />
    </svg>
  )
}
