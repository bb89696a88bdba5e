import { useId, type ReactNode } from 'react'
import styles from './bar-figure.module.css'

type BarSeries = {
  name: string
  label: string
  /** Shown next to the label. */
  total: string
  /** Shown after the total, such as the total of the period before. */
  note?: string
  /** A description of the bars for screen readers. */
  said: string
  bars: readonly {
    /** Fraction of the highest value in all series, from 0 to 1. */
    part: number
    /** The period and its value. */
    text: string
  }[]
}

const step = 10
const height = 40
/** Minimum height in percent, so that small values stay visible next to the highest. */
const tallMin = 1.5

/** One row of bars per series, over the same periods and on the same scale, with a table of the same data. */
export function BarFigure({
  heading,
  times,
  series,
  isLastOpen = false,
  roomMin = 0,
  tableLabel,
  children,
}: {
  heading: string
  times: readonly string[]
  series: readonly BarSeries[]
  /** Whether the last period is not over yet. */
  isLastOpen?: boolean
  /** With fewer periods than this, the bars keep the width they would have with this many. */
  roomMin?: number
  tableLabel: string
  /** The data table. */
  children: ReactNode
}) {
  const id = useId()
  const room = Math.max(times.length, roomMin)
  const isShort = times.length < room
  const [first, last] = [times[0], times.at(-1)]
  return (
    <figure className={styles.figure} aria-labelledby={id}>
      <figcaption id={id}>
        <h3>{heading}</h3>
      </figcaption>
      {series.map((row) => (
        <div key={row.name} className={styles.series}>
          <p>
            <span>{row.label}</span>{' '}
            <span>
              <strong>{row.total}</strong> {row.note}
            </span>
          </p>
          <Bars of={row} times={times} room={room} isLastOpen={isLastOpen} />
        </div>
      ))}
      <p className={isShort ? `${styles.axis} ${styles.short}` : styles.axis} aria-hidden="true">
        <span>{first}</span>
        {last !== first && <span>{isShort ? `– ${last}` : last}</span>}
      </p>
      <details>
        <summary>{tableLabel}</summary>
        {children}
      </details>
    </figure>
  )
}

function Bars({
  of: { label, total, said, bars },
  times,
  room,
  isLastOpen,
}: {
  of: BarSeries
  times: readonly string[]
  /** The number of periods that fit. */
  room: number
  isLastOpen: boolean
}) {
  return (
    <svg
      className={styles.bars}
      viewBox={`0 0 ${room * step} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${label}: ${total}. ${said}`}
    >
      {bars.map(({ part, text }, index) => {
        const tall = Math.max(tallMin, part * height)
        return (
          <g key={times[index]}>
            <title>{text}</title>
            {/* Catches the pointer over the full height of its period. */}
            <rect className={styles.time} x={index * step} width={step} height={height} />
            {part > 0 && (
              <rect
                className={isLastOpen && index === times.length - 1 ? styles.open : styles.bar}
                x={index * step + 1}
                width={step - 2}
                y={height - tall}
                height={tall}
              />
            )}
          </g>
        )
      })}
    </svg>
  )
}
