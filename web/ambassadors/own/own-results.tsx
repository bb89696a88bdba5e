import {
  getAmbassadorResults,
  type AmbassadorResults,
  type InvitationFigures,
} from '#contract/ambassador-results.ts'
import { NotLoaded } from '../../actions/not-loaded.tsx'
import { useLoaded } from '../../actions/use-loaded.ts'
import { call } from '../../call/call.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { BarFigure } from '../../ui/bar-figure.tsx'
import { PagePart } from '../../ui/page-head.tsx'
import { Table } from '../../ui/table.tsx'
import styles from './own-results.module.css'
import { SharePart } from './share-part.tsx'

/** Results of the ambassador's invitations, and material to invite with. */
export function OwnResults() {
  const { t } = useMessages()
  const loaded = useLoaded('results', () => call(getAmbassadorResults, {}))
  if (loaded.state !== 'ready')
    return <NotLoaded of={loaded} title={t('ambassadorAccount.results.loadFailed')} />
  const { code, isCounting, totals, weeks, points } = loaded.data
  return (
    <>
      <SharePart code={code} isCounting={isCounting} />
      <PagePart
        id="results"
        heading={t('ambassadorAccount.results.heading')}
        lead={t('ambassadorAccount.results.lead')}
      >
        {weeks.length === 0 ? (
          <p>{t('ambassadorAccount.results.none')}</p>
        ) : isAllZero(totals, weeks) ? (
          <p>{t('ambassadorAccount.results.nothingYet')}</p>
        ) : (
          <WeekChart totals={totals} weeks={weeks} />
        )}
        <p className={styles.quiet}>{t('ambassadorAccount.results.notCounted')}</p>
      </PagePart>
      <PagePart id="points" heading={t('ambassadorAccount.points.heading')}>
        <p className={styles.total}>{t('ambassadorAccount.points.total', { points: points.total })}</p>
        <p className={styles.quiet}>{t('ambassadorAccount.points.rules', points.rules)}</p>
        {points.entries.length === 0 ? (
          <p>{t('ambassadorAccount.points.none')}</p>
        ) : (
          <Ledger entries={points.entries} />
        )}
      </PagePart>
    </>
  )
}

const series = ['signUps', 'activations', 'identities'] as const

/** Deducted points are shown in their week, even if the total is zero. */
const isAllZero = (totals: InvitationFigures, weeks: readonly InvitationFigures[]): boolean =>
  [totals, ...weeks].every((figures) => series.every((figure) => figures[figure] === 0))

type Weeks = AmbassadorResults['weeks']

function WeekChart({ totals, weeks }: { totals: InvitationFigures; weeks: Weeks }) {
  const { t, formatDate, formatNumber, nameValue } = useMessages()
  const dateOf = (week: string) => formatDate(`${week}T12:00:00Z`)
  const highest = Math.max(1, ...weeks.flatMap((week) => series.map((figure) => week[figure])))
  const describeWeek = (figure: keyof InvitationFigures) => {
    const most = weeks.reduce((high, each) => (each[figure] > high[figure] ? each : high))
    return most[figure] > 0
      ? t('ambassadorAccount.results.most', { value: most[figure], week: dateOf(most.week) })
      : t('ambassadorAccount.results.nothing')
  }
  return (
    <BarFigure
      heading={t('ambassadorAccount.results.chart')}
      times={weeks.map(({ week }) => dateOf(week))}
      series={series.map((figure) => ({
        name: figure,
        label: t(`ambassadorAccount.results.${figure}`),
        total: formatNumber(totals[figure]),
        said: describeWeek(figure),
        bars: weeks.map((week) => ({
          part: Math.max(0, week[figure]) / highest,
          text: nameValue(dateOf(week.week), formatNumber(week[figure])),
        })),
      }))}
      roomMin={8}
      tableLabel={t('ambassadorAccount.results.table')}
    >
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
          ...series.map((figure) => ({
            name: figure,
            heading: t(`ambassadorAccount.results.${figure}`),
            isFigure: true,
            cell: (week: Weeks[number]) => formatNumber(week[figure]),
          })),
        ]}
      />
    </BarFigure>
  )
}

type Entry = AmbassadorResults['points']['entries'][number]

function Ledger({ entries }: { entries: readonly Entry[] }) {
  const { t, formatDate, formatNumber } = useMessages()
  return (
    <Table
      caption={t('ambassadorAccount.points.caption')}
      rows={entries}
      rowKey={({ week, cause, isReversal }) => `${week} ${cause} ${isReversal}`}
      columns={[
        {
          name: 'week',
          heading: t('ambassadorAccount.results.week'),
          cell: ({ week }) => <time dateTime={week}>{formatDate(`${week}T12:00:00Z`)}</time>,
        },
        {
          name: 'cause',
          heading: t('ambassadorAccount.points.cause'),
          cell: ({ cause, isReversal }) => t(`ambassadorAccount.points.${cause}${isReversal ? '.back' : ''}`),
        },
        ...(['count', 'points'] as const).map((figure) => ({
          name: figure,
          heading: t(`ambassadorAccount.points.${figure}`),
          isFigure: true,
          cell: (entry: Entry) => formatNumber(entry[figure]),
        })),
      ]}
    />
  )
}
