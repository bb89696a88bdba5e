import {
  figureCoinsMax,
  readDashboardMetrics,
  type ConsoleFigures,
  type FigureName,
} from '#contract/console-home.ts'
import { NotLoaded } from '../../actions/not-loaded.tsx'
import { useLoaded } from '../../actions/use-loaded.ts'
import { call } from '../../call/call.ts'
import type { PlainKey } from '../../i18n/message-key.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { DayChart } from './day-chart.tsx'
import styles from './home.module.css'

/** Activity on each day of the last four weeks, each chart with a table. */
export function Figures() {
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
