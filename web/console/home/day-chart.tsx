import { useId } from 'react'
import { DAY } from '#contract/durations.ts'
import { parseDecimal, writeDecimal } from '#contract/decimal.ts'
import { useWords } from '../../i18n/words.tsx'
import { formatDecimal } from '../../orders/format-decimal.ts'
import styles from './day-chart.module.css'

type Series = {
  name: string
  label: string
  /** One for each day, as exact decimal text. */
  values: readonly string[]
}

/** Bars by day, one row for each series, all of one scale; the sums beside them and the table behind them are exact. */
export function DayChart({
  heading,
  from,
  series,
}: {
  heading: string
  from: string
  series: readonly Series[]
}) {
  const { t, formatDate } = useWords()
  const id = useId()
  const days = (series[0]?.values ?? []).map((_, index) =>
    new Date(Date.parse(from) + index * DAY).toISOString(),
  )
  const highest = series
    .flatMap(({ values }) => values.map(parseDecimal))
    .reduce((high, each) => (each > high ? each : high), 0n)
  return (
    <figure className={styles.chart} aria-labelledby={id}>
      <figcaption id={id}>
        <h3>{heading}</h3>
      </figcaption>
      {series.map((each) => (
        <SeriesBars key={each.name} {...each} days={days} highest={highest} />
      ))}
      <p className={styles.axis} aria-hidden="true">
        <span>{formatDate(days[0]!)}</span>
        <span>{formatDate(days.at(-1)!)}</span>
      </p>
      <details>
        <summary>{t('consoleHome.figures.table')}</summary>
        <DayTable caption={heading} series={series} days={days} />
      </details>
    </figure>
  )
}

const sumOf = (values: readonly string[]): string =>
  writeDecimal(values.reduce((sum, value) => sum + parseDecimal(value), 0n))

const step = 10
const height = 40

function SeriesBars({ label, values, days, highest }: Series & { days: readonly string[]; highest: bigint }) {
  const { t, formatDate, language } = useWords()
  const exact = values.map(parseDecimal)
  const most = exact.reduce((at, each, index) => (each > exact[at]! ? index : at), 0)
  const write = (value: string) => formatDecimal(value, language)
  const sum = sumOf(values)
  const said =
    sum === '0'
      ? t('consoleHome.figures.nothing')
      : t('consoleHome.figures.most', { value: write(values[most]!), day: formatDate(days[most]!) })
  return (
    <div className={styles.series}>
      <p>
        <span>{label}</span> <strong>{write(sum)}</strong>
      </p>
      <svg
        className={styles.bars}
        viewBox={`0 0 ${days.length * step} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${label}: ${write(sum)}. ${said}`}
      >
        {exact.map((value, index) => (
          <g key={days[index]}>
            <title>{`${formatDate(days[index]!)}: ${write(values[index]!)}`}</title>
            {/* Takes the pointer over the whole height of its day. */}
            <rect className={styles.day} x={index * step} width={step} height={height} />
            {value > 0n && (
              <Bar index={index} value={value} highest={highest} isLast={index === days.length - 1} />
            )}
          </g>
        ))}
      </svg>
    </div>
  )
}

function Bar({
  index,
  value,
  highest,
  isLast,
}: {
  index: number
  value: bigint
  highest: bigint
  isLast: boolean
}) {
  // What is little beside the highest can still be seen.
  const tall = Math.max(1.5, (Number((value * 10_000n) / highest) / 10_000) * height)
  return (
    <rect
      className={isLast ? styles.today : styles.bar}
      x={index * step + 1}
      width={step - 2}
      y={height - tall}
      height={tall}
    />
  )
}

function DayTable({
  caption,
  series,
  days,
}: {
  caption: string
  series: readonly Series[]
  days: readonly string[]
}) {
  const { t, formatDate, language } = useWords()
  return (
    // Where long amounts find no room the table scrolls, and the page does not.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a part that scrolls is reached by keyboard
    <div className={styles.table} role="region" aria-label={caption} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('consoleHome.figures.day')}</th>
            {series.map(({ name, label }) => (
              <th key={name} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map((day, index) => (
            <tr key={day}>
              <th scope="row">{formatDate(day)}</th>
              {series.map(({ name, values }) => (
                <td key={name}>{formatDecimal(values[index]!, language)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
