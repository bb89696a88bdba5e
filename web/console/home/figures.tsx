import {
  type ConsoleFigures,
  figureCoinsMax,
  type FigureName,
  type FigurePeriod,
  figurePeriodDefault,
  figurePeriodNames,
  readDashboardMetrics,
} from '#contract/console/console-home.ts'
import { parseDecimal, writeDecimal } from '#contract/platform/decimal.ts'
import { DAY } from '#contract/platform/durations.ts'
import { NotLoaded } from '../../kernel/actions/not-loaded.tsx'
import { useLoaded } from '../../kernel/actions/use-loaded.ts'
import { call } from '../../kernel/call/call.ts'
import type { PlainKey } from '../../kernel/i18n/message-key.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { navigate } from '../../kernel/navigation/navigate.ts'
import { pathTo } from '../../kernel/routes/routes.ts'
import { BarFigure } from '../../kernel/ui/bar-figure.tsx'
import { Facts } from '../../kernel/ui/description-list.tsx'
import { Select } from '../../kernel/ui/field.tsx'
import { Table } from '../../kernel/ui/table.tsx'
import { formatDecimal } from '../../kernel/i18n/format-decimal.ts'
import styles from './home.module.css'

/** The period that the address asks for. */
export const periodIn = (search: URLSearchParams): FigurePeriod =>
  figurePeriodNames.find((each) => each === search.get('days')) ?? figurePeriodDefault

/** What happened in a period, compared with the period before. Each chart has a table of its values. */
export function Figures({ days }: { days: FigurePeriod }) {
  const { t } = useMessages()
  const loaded = useLoaded(`figures ${days}`, () => call(readDashboardMetrics, { query: { days } }))
  if (loaded.state === 'ready' && isEmpty(loaded.data)) return null
  return (
    <section className={styles.section} aria-labelledby="figures">
      <div className={styles.head}>
        <h2 id="figures">{t('consoleHome.figures')}</h2>
        <Select
          label={t('consoleHome.figures.period')}
          value={days}
          onChange={({ target }) =>
            void navigate(`${pathTo('console.home')}?days=${target.value}`, { inPlace: true, replace: true })
          }
        >
          {figurePeriodNames.map((each) => (
            <option key={each} value={each}>
              {t(`consoleHome.figures.period.${each}`)}
            </option>
          ))}
        </Select>
      </div>
      <p className={styles.lead}>{t('consoleHome.figures.lead')}</p>
      {loaded.state !== 'ready' && <NotLoaded of={loaded} title={t('consoleHome.figures.failed')} />}
      {loaded.state === 'ready' && (
        <>
          {loaded.data.sale && <SaleFigures sale={loaded.data.sale} />}
          {loaded.data.path.length > 1 && <PathToOrder path={loaded.data.path} />}
          <Charts {...loaded.data} />
        </>
      )}
    </section>
  )
}

const isEmpty = ({ figures, path, sale }: ConsoleFigures): boolean =>
  figures.length === 0 && path.length === 0 && sale === null

type Sale = NonNullable<ConsoleFigures['sale']>

/** What is sold and left, which is only known with a cap, and what was ordered at the current settings. */
function SaleFigures({ sale }: { sale: Sale }) {
  const { t, language, formatDateTime, formatNumber } = useMessages()
  const { sold, cap, left, changedAt } = sale
  const facts = [
    { name: 'sold', label: t('consoleHome.sale.sold'), value: sold && formatDecimal(sold, language) },
    { name: 'left', label: t('consoleHome.sale.left'), value: left && formatDecimal(left, language) },
    {
      name: 'cap',
      label: t('consoleHome.sale.cap'),
      value: cap === null ? t('consoleHome.sale.noCap') : formatDecimal(cap, language),
    },
    {
      name: 'orders',
      label: t('consoleHome.sale.orders'),
      value: t('consoleHome.sale.ordersSince', {
        count: formatNumber(sale.orders),
        quantity: formatDecimal(sale.quantity, language),
        time: changedAt === null ? '' : formatDateTime(changedAt),
      }),
    },
  ]
  return (
    <div>
      <h3 className={styles.group}>{t('consoleHome.sale')}</h3>
      <Facts facts={facts.filter(({ value }) => value !== null)} />
    </div>
  )
}

/** How far the members who signed up in the period have come. */
function PathToOrder({ path }: Pick<ConsoleFigures, 'path'>) {
  const { t, formatNumber } = useMessages()
  const [{ count: first } = { count: 0 }] = path
  return (
    <div>
      <h3 className={styles.group}>{t('consoleHome.path')}</h3>
      <Table
        caption={t('consoleHome.path')}
        rows={path}
        rowKey={({ step }) => step}
        columns={[
          {
            name: 'step',
            heading: t('consoleHome.path.step'),
            cell: ({ step }) => t(`consoleHome.path.${step}`),
          },
          {
            name: 'count',
            heading: t('consoleHome.path.members'),
            isFigure: true,
            cell: ({ count }) => formatNumber(count),
          },
          {
            name: 'share',
            heading: t('consoleHome.path.share', { step: t(`consoleHome.path.${path[0]!.step}`) }),
            isFigure: true,
            cell: ({ count }) => (first === 0 ? '–' : `${formatNumber(Math.round((count * 100) / first))}%`),
          },
        ]}
      />
    </div>
  )
}

/** Series in one chart share a scale so that they can be compared. */
const charts = {
  members: ['sign_ups', 'activations'],
  identity: ['applications', 'approved', 'rejected', 'more_info'],
  orders: ['orders_pending', 'orders_completed', 'orders_cancelled'],
} as const satisfies Record<string, readonly FigureName[]>

const labels: Readonly<Record<FigureName, PlainKey>> = {
  sign_ups: 'consoleHome.figures.signUps',
  activations: 'consoleHome.figures.activations',
  applications: 'consoleHome.figures.applications',
  approved: 'consoleHome.figures.approved',
  rejected: 'consoleHome.figures.rejected',
  more_info: 'consoleHome.figures.moreInfo',
  orders_pending: 'consoleHome.figures.pending',
  orders_completed: 'consoleHome.figures.completed',
  orders_cancelled: 'consoleHome.figures.cancelled',
  amount_pending: 'consoleHome.figures.pending',
  amount_completed: 'consoleHome.figures.completed',
}

function Charts({ from, step, figures, hasMoreCoins }: ConsoleFigures) {
  const { t } = useMessages()
  const coins = [...new Set(figures.flatMap(({ coin }) => coin ?? []))]
  const seriesOf = (wanted: ConsoleFigures['figures']) =>
    wanted.map(({ name, values, before }) => ({ name, label: t(labels[name]), values, before }))
  return (
    <>
      <div className={styles.charts}>
        {(Object.keys(charts) as (keyof typeof charts)[]).map((chart) => {
          const names: readonly FigureName[] = charts[chart]
          const own = figures.filter(({ name }) => names.includes(name))
          if (own.length === 0) return null
          return (
            <DayChart
              key={chart}
              heading={t(`consoleHome.figures.${chart}`)}
              from={from}
              step={step}
              series={seriesOf(own)}
            />
          )
        })}
        {coins.map((coin) => (
          <DayChart
            key={`in ${coin}`}
            heading={t('consoleHome.figures.amounts', { coin })}
            from={from}
            step={step}
            series={seriesOf(figures.filter((figure) => figure.coin === coin))}
          />
        ))}
      </div>
      {hasMoreCoins && (
        <p className={styles.lead}>{t('consoleHome.figures.moreCoins', { count: figureCoinsMax })}</p>
      )}
    </>
  )
}

type Series = {
  name: string
  label: string
  /** One value per day or week, as exact decimal text. */
  values: readonly string[]
  /** The total of the period before. */
  before: string
}

type ChartProps = { heading: string; from: string; step: number; series: readonly Series[] }

/** Bars by day or week, with exact totals and a table of the exact values. */
function DayChart({ heading, from, step, series }: ChartProps) {
  const { t, formatDate, language, nameValue } = useMessages()
  const days = (series[0]?.values ?? []).map((_, index) =>
    new Date(Date.parse(from) + index * step * DAY).toISOString(),
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
  const isBlank = series.every(({ values, before }) =>
    [before, ...values].every((value) => parseDecimal(value) === 0n),
  )
  if (isBlank)
    return (
      <div className={styles.empty}>
        <h3>{heading}</h3>
        <p className={styles.lead}>{t('consoleHome.figures.nothing')}</p>
      </div>
    )
  return (
    <BarFigure
      heading={heading}
      times={days.map((day) => formatDate(day))}
      series={series.map(({ name, label, values, before }) => ({
        name,
        label,
        total: write(sumOf(values)),
        note: t('consoleHome.figures.before', { value: write(before) }),
        said: saidOf(values),
        bars: values.map((value, index) => ({
          part: partOf(parseDecimal(value), highest),
          text: nameValue(formatDate(days[index]!), write(value)),
        })),
      }))}
      isLastOpen
      tableLabel={t('consoleHome.figures.table')}
    >
      <DayTable caption={heading} series={series} days={days} isWeekly={step > 1} />
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
  isWeekly,
}: {
  caption: string
  series: readonly Series[]
  days: readonly string[]
  isWeekly: boolean
}) {
  const { t, formatDate, language } = useMessages()
  return (
    // If long amounts do not fit, the table scrolls instead of the page.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling area must be reachable by keyboard
    <div className={styles.table} role="region" aria-label={caption} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t(isWeekly ? 'consoleHome.figures.week' : 'consoleHome.figures.day')}</th>
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
