import { Woven } from '../../../kernel/brand/woven.tsx'
import styles from './drawings.module.css'

const middle = 400
const floor = 420
const purse = 92
const rows = [160, 210, 260, 310, 360, 405]
const pitch = 31

const written = (value: number) => String(Math.round(value * 10) / 10)
const at = (radius: number, angle: number) => [
  written(middle - radius * Math.cos(angle)),
  written(floor - radius * Math.sin(angle)),
]

const seats = rows.flatMap((radius, row) => {
  const count = Math.floor((Math.PI * radius) / pitch)
  return Array.from({ length: count }, (_, seat) => ({
    radius,
    angle: (Math.PI * (seat + 0.5)) / count,
    // About two out of three agree, without a visible pattern.
    agrees: (seat * 7 + row * 5 + ((seat * seat) % 3)) % 11 < 7,
  }))
})

const agreeing = seats.filter(({ agrees }) => agrees)
const votes = agreeing
  .map(({ radius, angle }) => `M${at(purse, angle).join(' ')}L${at(radius - 8, angle).join(' ')}`)
  .join('')

/** Members around a purse. Those who agree are filled and connected to it by a line. */
export function AssemblyDrawing({ className }: { className?: string | undefined }) {
  return (
    <svg className={className} viewBox="-12 0 824 420" aria-hidden="true">
      <path className={`${styles.copper} ${styles.faint}`} d={votes} />
      {seats.map(({ radius, angle, agrees }) => {
        const [x, y] = at(radius, angle)
        return (
          <circle
            key={`${radius} ${angle}`}
            cx={x}
            cy={y}
            r="6"
            className={agrees ? styles.full : styles.seat}
          />
        )
      })}
      <g transform={`translate(${middle} ${floor}) scale(${purse / 100})`}>
        <Woven
          figure={{ inner: 22, outer: 98, lobes: 9, lean: 10 }}
          times={20}
          twist={2}
          className={styles.verdigris}
        />
      </g>
    </svg>
  )
}
