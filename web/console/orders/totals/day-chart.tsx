import { parseDecimal } from '#contract/decimal.ts'
import { useMessages } from '../../../i18n/messages.tsx'
import { formatDecimal } from '../../../orders/format-decimal.ts'
import styles from './day-chart.module.css'
import type { DaySum } from './sums.ts'

const height = 120
/** Resolution of a bar's height as a fraction of the highest bar. Bars need numbers, while totals stay exact. */
const parts = 10_000n

/** Completed and pending orders by day. The table below has the same data. */
export function DayChart({ days, coin }: { days: readonly DaySum[]; coin: string }) {
  const { t, language, formatDate, nameValue } = useMessages()
  const totals = days.map(({ completed, pending }) => parseDecimal(completed) + parseDecimal(pending))
  const highest = totals.reduce((high, each) => (each > high ? each : high), 0n)
  const at = totals.indexOf(highest)
  const share = (amount: bigint) => (highest === 0n ? 0 : Number((amount * parts) / highest) / Number(parts))
  const best = days[at]
  const dateOf = (day: string) => formatDate(`${day}T12:00:00Z`)
  return (
    <figure className={styles.chart}>
      <svg
        viewBox={`0 0 ${days.length * 10} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={
          highest === 0n || !best
            ? t('consoleOrders.totals.chart.none')
            : t('consoleOrders.totals.chart', { day: dateOf(best.day) })
        }
      >
        {days.map((day, index) => {
          const done = share(parseDecimal(day.completed)) * (height - 4)
          const waiting = share(parseDecimal(day.pending)) * (height - 4)
          return (
            <g key={day.day}>
              <title>
                {nameValue(
                  dateOf(day.day),
                  `${formatDecimal(day.completed, language)} / ${formatDecimal(day.pending, language)} ${coin}`,
                )}
              </title>
              <rect className={styles.hit} x={index * 10} y="0" width="10" height={height} />
              <rect className={styles.done} x={index * 10 + 1.5} y={height - done} width="7" height={done} />
              <rect
                className={styles.waiting}
                x={index * 10 + 1.5}
                y={height - done - waiting}
                width="7"
                height={waiting}
              />
            </g>
          )
        })}
      </svg>
      <figcaption>
        <span>{days[0] && dateOf(days[0].day)}</span>
        <span className={styles.key} data-of="done">
          {t('orders.status.completed')}
        </span>
        <span className={styles.key} data-of="waiting">
          {t('orders.status.pending')}
        </span>
        <span className={styles.to}>{days.at(-1) && dateOf(days.at(-1)!.day)}</span>
      </figcaption>
    </figure>
  )
}
