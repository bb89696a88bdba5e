import { useId } from 'react'
import type { AmbassadorResults, InvitationFigures } from '#contract/ambassador-results.ts'
import type { PlainKey } from '../../i18n/message-key.ts'
import { useWords } from '../../i18n/words.tsx'
import { Table } from '../../ui/table.tsx'
import styles from './own-results.module.css'

const series = [
  { figure: 'signUps', words: 'ambassadorAccount.results.signUps' },
  { figure: 'activations', words: 'ambassadorAccount.results.activations' },
  { figure: 'identities', words: 'ambassadorAccount.results.identities' },
] as const satisfies readonly { figure: keyof InvitationFigures; words: PlainKey }[]

const step = 10
const height = 40
/** So few weeks take no more room than this: one week is a bar, and no field. */
const roomMin = 8

type Weeks = AmbassadorResults['weeks']

/** A row of bars for each figure, all of one scale, with the table of what they show. */
export function WeekChart({ totals, weeks }: { totals: InvitationFigures; weeks: Weeks }) {
  const { t, formatDate, formatNumber } = useWords()
  const id = useId()
  const highest = Math.max(1, ...weeks.flatMap((week) => series.map(({ figure }) => week[figure])))
  const dateOf = (week: string) => formatDate(`${week}T12:00:00Z`)
  const [first, last] = [dateOf(weeks[0]!.week), dateOf(weeks.at(-1)!.week)]
  return (
    <figure className={styles.chart} aria-labelledby={id}>
      <figcaption id={id}>
        <h3>{t('ambassadorAccount.results.chart')}</h3>
      </figcaption>
      {series.map(({ figure, words }) => (
        <Bars key={figure} label={t(words)} total={totals[figure]} figure={figure} {...{ weeks, highest }} />
      ))}
      <p
        className={weeks.length < roomMin ? `${styles.axis} ${styles.short}` : styles.axis}
        aria-hidden="true"
      >
        <span>{first}</span>
        {last !== first && <span>{weeks.length < roomMin ? `– ${last}` : last}</span>}
      </p>
      <details>
        <summary>{t('ambassadorAccount.results.table')}</summary>
        <Table
          caption={t('ambassadorAccount.results.chart')}
          rows={weeks.toReversed()}
          rowKey={({ week }) => week}
          columns={[
            {
              name: 'week',
              heading: t('ambassadorAccount.results.week'),
              cell: ({ week }) => <time dateTime={week}>{dateOf(week)}</time>,
            },
            ...series.map(({ figure, words }) => ({
              name: figure,
              heading: t(words),
              isFigure: true,
              cell: (week: Weeks[number]) => formatNumber(week[figure]),
            })),
          ]}
        />
      </details>
    </figure>
  )
}

function Bars({
  label,
  total,
  figure,
  weeks,
  highest,
}: {
  label: string
  total: number
  figure: keyof InvitationFigures
  weeks: Weeks
  highest: number
}) {
  const { t, formatDate, formatNumber } = useWords()
  const dateOf = (week: string) => formatDate(`${week}T12:00:00Z`)
  const room = Math.max(weeks.length, roomMin)
  const most = weeks.reduce((high, each) => (each[figure] > high[figure] ? each : high), weeks[0]!)
  const said =
    most[figure] > 0
      ? t('ambassadorAccount.results.most', { value: most[figure], week: dateOf(most.week) })
      : t('ambassadorAccount.results.nothing')
  return (
    <div className={styles.series}>
      <p>
        <span>{label}</span> <strong>{formatNumber(total)}</strong>
      </p>
      <svg
        className={styles.bars}
        viewBox={`0 0 ${room * step} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${label}: ${formatNumber(total)}. ${said}`}
      >
        {weeks.map((week, index) => {
          const tall = week[figure] > 0 ? Math.max(2, (week[figure] / highest) * height) : 0
          return (
            <g key={week.week}>
              <title>{`${dateOf(week.week)}: ${formatNumber(week[figure])}`}</title>
              <rect className={styles.hit} x={index * step} width={step} height={height} />
              <rect
                className={styles.bar}
                x={index * step + 1}
                width={step - 2}
                y={height - tall}
                height={Math.max(0, tall)}
              />
            </g>
          )
        })}
      </svg>
    </div>
  )
}
