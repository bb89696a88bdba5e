import { DAY } from '#contract/durations.ts'
import { parseDecimal, writeDecimal } from '#contract/decimal.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { formatDecimal } from '../../orders/format-decimal.ts'
import { BarFigure } from '../../ui/bar-figure.tsx'
import styles from './day-chart.module.css'

type Series = {
  name: string
  label: string
  /** One value per day, as exact decimal text. */
  values: readonly string[]
}

/** Bars by day, with exact totals and a table of the exact values. */
export function DayChart({
  heading,
  from,
  series,
}: {
  heading: string
  from: string
  series: readonly Series[]
}) {
  const { t, formatDate, language, nameValue } = useMessages()
  const days = (series[0]?.values ?? []).map((_, index) =>
    new Date(Date.parse(from) + index * DAY).toISOString(),
  )
  const highest = series
    .flatMap(({ values }) => values.map(parseDecimal))
    .reduce((high, each) => (each > high ? each : high), 1n)
  const write = (value: string) => formatDecimal(value, language)
  const saidOf = (values: readonly string[]) => {
    const exact = values.map(parseDecimal)
    const most = exact.reduce((at, each, index) => (each > exact[at]! ? index : at), 0)
    return exact.every((each) => each === 0n)
      ? t('consoleHome.figures.nothing')
      : t('consoleHome.figures.most', { value: write(values[most]!), day: formatDate(days[most]!) })
  }
  return (
    <BarFigure
      heading={heading}
      times={days.map((day) => formatDate(day))}
      series={series.map(({ name, label, values }) => ({
        name,
        label,
        total: write(sumOf(values)),
        said: saidOf(values),
        bars: values.map((value, index) => ({
          part: partOf(parseDecimal(value), highest),
          text: nameValue(formatDate(days[index]!), write(value)),
        })),
      }))}
      isLastOpen
      tableLabel={t('consoleHome.figures.table')}
    >
      <DayTable caption={heading} series={series} days={days} />
    </BarFigure>
  )
}

const sumOf = (values: readonly string[]): string =>
  writeDecimal(values.reduce((sum, value) => sum + parseDecimal(value), 0n))

/** Returns a fraction that is precise enough for a bar. */
const partOf = (value: bigint, highest: bigint): number =>
  value > 0n ? Math.max(1, Number((value * 10_000n) / highest)) / 10_000 : 0

function DayTable({
  caption,
  series,
  days,
}: {
  caption: string
  series: readonly Series[]
  days: readonly string[]
}) {
  const { t, formatDate, language } = useMessages()
  return (
    // If long amounts do not fit, the table scrolls instead of the page.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling area must be reachable by keyboard
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
