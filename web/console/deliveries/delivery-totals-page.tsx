import { useState } from 'react'
import { readDeliveryTotals, type DeliveryTotals } from '#contract/money/console-deliveries.ts'
import { parseDecimal, writeDecimal } from '#contract/platform/decimal.ts'
import { NotLoaded } from '../../kernel/actions/not-loaded.tsx'
import { useLoaded } from '../../kernel/actions/use-loaded.ts'
import { call } from '../../kernel/call/call.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { navigate } from '../../kernel/navigation/navigate.ts'
import { page, type PageProps } from '../../kernel/routes/page.ts'
import { pathTo } from '../../kernel/routes/routes.ts'
import { useSession } from '../../kernel/session/session.ts'
import { BackLink } from '../../kernel/ui/back-link.tsx'
import { Empty } from '../../kernel/ui/empty.tsx'
import { TextField } from '../../kernel/ui/field.tsx'
import { PageHead, PagePart } from '../../kernel/ui/page-head.tsx'
import { Table } from '../../kernel/ui/table.tsx'
import { LabeledFacts } from '../detail/labeled-facts.tsx'
import { Amount } from '../amount.tsx'
import styles from './deliveries.module.css'
import { RoundLink } from './round-link.tsx'

function TotalsView({ search }: PageProps<unknown>) {
  const { t } = useMessages()
  const { member } = useSession()
  return (
    <>
      <BackLink href={pathTo('console.deliveries')}>{t('consoleDeliveries.back')}</BackLink>
      <PageHead heading={t('console.nav.deliveryTotals')} lead={t('consoleDeliveries.totals.lead')} />
      {member && <Loaded search={search} />}
    </>
  )
}

const dayOf = (value: string | null): string =>
  value !== null && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value)) ? value : ''

type Span = Readonly<Record<'from' | 'to', string>>

function Loaded({ search }: { search: URLSearchParams }) {
  const { t } = useMessages()
  const span = { from: dayOf(search.get('from')), to: dayOf(search.get('to')) }
  const { from, to } = span
  const loaded = useLoaded(`${from} ${to}`, () =>
    call(readDeliveryTotals, { query: { ...(from && { from }), ...(to && { to }) } }),
  )
  // The totals stay while those of another period load, so that the fields don't move.
  const [last, setLast] = useState<DeliveryTotals>()
  if (loaded.state === 'ready' && loaded.data !== last) setLast(loaded.data)
  return (
    <>
      {last && <Totals of={last} />}
      {last && last.rounds.length > 0 && (
        <PagePart id="by-round" heading={t('consoleDeliveries.totals.byRound')}>
          <Rounds of={last.rounds} />
        </PagePart>
      )}
      <PagePart id="by-month" heading={t('consoleDeliveries.totals.byMonth')}>
        <SpanFields span={span} />
        {loaded.state === 'ready' ? (
          <Months of={loaded.data.months} />
        ) : (
          <NotLoaded of={loaded} title={t('consoleDeliveries.totals.failed')} />
        )}
      </PagePart>
    </>
  )
}

function SpanFields({ span }: { span: Span }) {
  const { t } = useMessages()
  return (
    <div className={styles.span} role="search" aria-label={t('consoleDeliveries.totals.span')}>
      <TextField
        label={t('consoleDeliveries.totals.from')}
        type="date"
        value={span.from}
        onChange={({ target }) => openTotals({ ...span, from: target.value })}
      />
      <TextField
        label={t('consoleDeliveries.totals.to')}
        type="date"
        value={span.to}
        onChange={({ target }) => openTotals({ ...span, to: target.value })}
      />
    </div>
  )
}

function openTotals(span: Span): void {
  const query = new URLSearchParams(Object.entries(span).filter(([, value]) => value !== ''))
  const path = pathTo('console.deliveryTotals')
  void navigate(query.size > 0 ? `${path}?${query}` : path, { inPlace: true, replace: true })
}

type Round = DeliveryTotals['rounds'][number]

/** Tokens without a delivery: of refunded orders, and of those completed before deliveries were recorded. */
const undelivered = ({ sold, delivered, sent, inRuns, due, locked }: Omit<Round, 'id' | 'name'>): bigint =>
  [delivered, sent, inRuns, due, locked].reduce((rest, part) => rest - parseDecimal(part), parseDecimal(sold))

function Totals({ of }: { of: DeliveryTotals }) {
  const { sold, delivered, sent, inRuns, due, locked } = of
  const without = undelivered(of)
  return (
    <LabeledFacts
      facts={{
        'consoleDeliveries.totals.sold': <Amount value={sold} />,
        'consoleDeliveries.totals.delivered': <Amount value={delivered} />,
        'consoleDeliveries.totals.sent': <Amount value={sent} />,
        'consoleDeliveries.totals.inRuns': <Amount value={inRuns} />,
        'consoleDeliveries.totals.due': <Amount value={due} />,
        'consoleDeliveries.totals.locked': <Amount value={locked} />,
        'consoleDeliveries.totals.without': without > 0n && <Amount value={writeDecimal(without)} />,
      }}
    />
  )
}

function Rounds({ of: rounds }: { of: DeliveryTotals['rounds'] }) {
  const { t } = useMessages()
  const sums = ['sold', 'delivered', 'sent', 'inRuns', 'due', 'locked'] as const
  return (
    <Table
      caption={t('consoleDeliveries.totals.byRound')}
      rows={rounds}
      rowKey={({ id }) => id}
      columns={[
        {
          name: 'round',
          heading: t('consoleDeliveries.round'),
          cell: (round) => <RoundLink of={round} />,
        },
        ...sums.map((name) => ({
          name,
          heading: t(`consoleDeliveries.totals.${name}`),
          isFigure: true,
          cell: (round: Round) => <Amount value={round[name]} />,
        })),
        ...(rounds.some((round) => undelivered(round) > 0n)
          ? [
              {
                name: 'without',
                heading: t('consoleDeliveries.totals.without'),
                isFigure: true,
                cell: (round: Round) => <Amount value={writeDecimal(undelivered(round))} />,
              },
            ]
          : []),
      ]}
    />
  )
}

function Months({ of: months }: { of: DeliveryTotals['months'] }) {
  const { t, formatNumber } = useMessages()
  if (months.length === 0) return <Empty role="status" title={t('consoleDeliveries.totals.none')} />
  return (
    <Table
      caption={t('consoleDeliveries.totals.byMonth')}
      rows={months.toReversed()}
      rowKey={({ month }) => month}
      columns={[
        {
          name: 'month',
          heading: t('consoleDeliveries.totals.month'),
          cell: ({ month }) => <time dateTime={month}>{month}</time>,
        },
        {
          name: 'count',
          heading: t('consoleDeliveries.totals.count'),
          isFigure: true,
          cell: ({ count }) => formatNumber(count),
        },
        {
          name: 'amount',
          heading: t('consoleDeliveries.amount'),
          isFigure: true,
          cell: ({ amount }) => <Amount value={amount} />,
        },
        {
          name: 'delivered',
          heading: t('consoleDeliveries.totals.delivered'),
          isFigure: true,
          cell: ({ delivered }) => <Amount value={delivered} />,
        },
      ]}
    />
  )
}

export default page({ View: TotalsView })
