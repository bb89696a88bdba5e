import {
  type ConsoleFigures,
  figureCoinsMax,
  type FigureName,
  readDashboardMetrics,
  type AttentionItem,
  type Waiting,
  waitingCountMax,
} from '#contract/console/console-home.ts'
import { parseDecimal, writeDecimal } from '#contract/platform/decimal.ts'
import { DAY, HOUR, MINUTE, SECOND } from '#contract/platform/durations.ts'
import { fourEyesAreas } from '#contract/people/four-eyes.ts'
import { NotLoaded } from '../../kernel/actions/not-loaded.tsx'
import { useLoaded } from '../../kernel/actions/use-loaded.ts'
import { call } from '../../kernel/call/call.ts'
import { formatWait } from '../../kernel/i18n/format-wait.ts'
import type { PlainKey } from '../../kernel/i18n/message-key.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { formatDecimal } from '../../orders/format-decimal.ts'
import { page, type PageProps } from '../../kernel/routes/page.ts'
import { useSession } from '../../kernel/session/session.ts'
import { BarFigure } from '../../kernel/ui/bar-figure.tsx'
import { PageHead } from '../../kernel/ui/page-head.tsx'
import { FourEyesNotes } from '../four-eyes/four-eyes-notes.tsx'
import { SetupChecklist } from './setup-checklist.tsx'
import { setupQuery } from './setup-address.ts'
import { loadWaiting } from './waiting.ts'
import { waitingPlaces } from './waiting-places.ts'
import styles from './home.module.css'

/** Items that need the member's attention, and activity in the last four weeks, limited to the member's levels. */
function ConsoleHomeView({ search }: PageProps<unknown>) {
  const { t } = useMessages()
  const { member } = useSession()
  return (
    <>
      <PageHead heading={t('console.nav.home')} />
      {member && (
        <>
          {member.isWriteAccessAdmin && <SetupChecklist rights={member} isAsked={search.has(setupQuery)} />}
          <FourEyesNotes areas={fourEyesAreas} />
          <WaitingList />
          <Figures />
        </>
      )}
    </>
  )
}

/** Activity on each day of the last four weeks, each chart with a table. */
function Figures() {
  const { t } = useMessages()
  const loaded = useLoaded('figures', () => call(readDashboardMetrics, {}))
  if (loaded.state === 'ready' && loaded.data.figures.length === 0) return null
  return (
    <section className={styles.section} aria-labelledby="figures">
      <h2 id="figures">{t('consoleHome.figures')}</h2>
      <p className={styles.lead}>{t('consoleHome.figures.lead')}</p>
      {loaded.state !== 'ready' && <NotLoaded of={loaded} title={t('consoleHome.figures.failed')} />}
      {loaded.state === 'ready' && <Charts {...loaded.data} />}
    </section>
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

function Charts({ from, figures, hasMoreCoins }: ConsoleFigures) {
  const { t } = useMessages()
  const coins = [...new Set(figures.flatMap(({ coin }) => coin ?? []))]
  const seriesOf = (wanted: ConsoleFigures['figures']) =>
    wanted.map(({ name, values }) => ({ name, label: t(labels[name]), values }))
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
              series={seriesOf(own)}
            />
          )
        })}
        {coins.map((coin) => (
          <DayChart
            key={`in ${coin}`}
            heading={t('consoleHome.figures.amounts', { coin })}
            from={from}
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
  /** One value per day, as exact decimal text. */
  values: readonly string[]
}

/** Bars by day, with exact totals and a table of the exact values. */
function DayChart({ heading, from, series }: { heading: string; from: string; series: readonly Series[] }) {
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
  const isEmpty = series.every(({ values }) => values.every((value) => parseDecimal(value) === 0n))
  if (isEmpty)
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

/** Numbers that link to the lists they count. */
function WaitingList() {
  const { t } = useMessages()
  return (
    <section className={styles.section} aria-labelledby="waiting">
      <h2 id="waiting">{t('consoleHome.waiting')}</h2>
      <Waits />
    </section>
  )
}

function Waits() {
  const { t } = useMessages()
  const loaded = useLoaded('waiting', loadWaiting)
  if (loaded.state !== 'ready') return <NotLoaded of={loaded} title={t('consoleHome.waiting.failed')} />
  const waiting = loaded.data.filter(isListed)
  if (waiting.length === 0) return <p role="status">{t('consoleHome.waiting.none')}</p>
  return (
    <ul className={styles.waiting}>
      {waiting.map((each) => (
        <li key={each.what}>
          <One {...each} />
        </li>
      ))}
    </ul>
  )
}

type Listed = Waiting & { what: AttentionItem }

/** The total of the orders is only for the navigation. */
const isListed = (each: Waiting): each is Listed => each.count > 0 && each.what !== 'orders_any'

function One({ what, count, oldestAt }: Listed) {
  const { t, language, formatNumber } = useMessages()
  const { label, path, isAhead } = waitingPlaces[what]
  const address = path()
  const age = ageOf(oldestAt)
  const content = (
    <>
      <strong>
        {count > waitingCountMax
          ? t('consoleHome.waiting.more', { count: formatNumber(waitingCountMax) })
          : formatNumber(count)}
      </strong>{' '}
      <span className={styles.label}>{t(label)}</span>{' '}
      {age > 0 && (
        <span className={styles.age}>
          {t(isAhead ? 'consoleHome.waiting.overdue' : 'consoleHome.waiting.oldest', {
            age: formatWait(age / SECOND, language),
          })}
        </span>
      )}
    </>
  )
  return address ? <a href={address}>{content}</a> : <p>{content}</p>
}

/** Age in milliseconds, rounded to the displayed unit: waiting times up, ages down. */
function ageOf(since: string | null): number {
  const passed = since === null ? 0 : Date.now() - Date.parse(since)
  const unit = passed < 2 * HOUR ? MINUTE : passed < 2 * DAY ? HOUR : DAY
  return Math.floor(passed / unit) * unit
}

export default page({ View: ConsoleHomeView })
