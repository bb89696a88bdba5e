import {
  getAmbassadorResults,
  type AmbassadorResults,
  type InvitationFigures,
} from '#contract/ambassador-results.ts'
import { LoadFailed } from '../../actions/load-failed.tsx'
import { useLoaded } from '../../actions/use-loaded.ts'
import { call } from '../../call/call.ts'
import type { PlainKey } from '../../i18n/message-key.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { Loading } from '../../ui/loading.tsx'
import { PagePart } from '../../ui/page-head.tsx'
import { Table } from '../../ui/table.tsx'
import styles from './own-results.module.css'
import { SharePart } from './share-part.tsx'
import { WeekChart } from './week-chart.tsx'

/** Results of the ambassador's invitations, and material to invite with. */
export function OwnResults() {
  const { t } = useMessages()
  const loaded = useLoaded('results', () => call(getAmbassadorResults, {}))
  if (loaded.state === 'loading') return <Loading label={t('forms.loading')} />
  if (loaded.state === 'failed')
    return (
      <LoadFailed
        title={t('ambassadorAccount.results.loadFailed')}
        failure={loaded.failure}
        retry={loaded.retry}
      />
    )
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

/** Deducted points are shown in their week, even if the total is zero. */
const isAllZero = (totals: InvitationFigures, weeks: readonly InvitationFigures[]): boolean =>
  [totals, ...weeks].every(
    ({ signUps, activations, identities }) => signUps === 0 && activations === 0 && identities === 0,
  )

type Entry = AmbassadorResults['points']['entries'][number]

const causes: Record<Entry['cause'], { given: PlainKey; back: PlainKey }> = {
  signup: { given: 'ambassadorAccount.points.signup', back: 'ambassadorAccount.points.signup.back' },
  activation: {
    given: 'ambassadorAccount.points.activation',
    back: 'ambassadorAccount.points.activation.back',
  },
  identity: { given: 'ambassadorAccount.points.identity', back: 'ambassadorAccount.points.identity.back' },
}

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
          cell: ({ cause, isReversal }) => t(isReversal ? causes[cause].back : causes[cause].given),
        },
        {
          name: 'count',
          heading: t('ambassadorAccount.points.count'),
          isFigure: true,
          cell: ({ count }) => formatNumber(count),
        },
        {
          name: 'points',
          heading: t('ambassadorAccount.points.points'),
          isFigure: true,
          cell: ({ points }) => formatNumber(points),
        },
      ]}
    />
  )
}
