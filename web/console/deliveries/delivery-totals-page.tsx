import { readDeliveryTotals, type DeliveryTotals } from '#contract/money/console-deliveries.ts'
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
import { Figure } from '../orders/figure.tsx'
import styles from '../orders/orders.module.css'

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

function Loaded({ search }: { search: URLSearchParams }) {
  const { t } = useMessages()
  const span = { from: dayOf(search.get('from')), to: dayOf(search.get('to')) }
  const { from, to } = span
  const loaded = useLoaded(`${from} ${to}`, () =>
    call(readDeliveryTotals, { query: { ...(from && { from }), ...(to && { to }) } }),
  )
  const shown = loaded.state === 'ready' ? loaded.data : undefined
  return (
    <>
      <div className={styles.span} role="search" aria-label={t('consoleDeliveries.totals.span')}>
        <TextField
          label={t('consoleDeliveries.totals.from')}
          type="date"
          value={from}
          onChange={({ target }) => openTotals({ ...span, from: target.value })}
        />
        <TextField
          label={t('consoleDeliveries.totals.to')}
          type="date"
          value={to}
          onChange={({ target }) => openTotals({ ...span, to: target.value })}
        />
      </div>
      {loaded.state !== 'ready' && <NotLoaded of={loaded} title={t('consoleDeliveries.totals.failed')} />}
      {shown && <Totals of={shown} />}
    </>
  )
}

function openTotals(span: Readonly<Record<'from' | 'to', string>>): void {
  const query = new URLSearchParams(Object.entries(span).filter(([, value]) => value !== ''))
  const path = pathTo('console.deliveryTotals')
  void navigate(query.size > 0 ? `${path}?${query}` : path, { inPlace: true, replace: true })
}

function Totals({ of: { months, ...total } }: { of: DeliveryTotals }) {
  const { t, formatNumber } = useMessages()
  if (months.length === 0) return <Empty role="status" title={t('consoleDeliveries.totals.none')} />
  return (
    <>
      <LabeledFacts
        facts={{
          'consoleDeliveries.totals.sold': <Figure value={total.sold} />,
          'consoleDeliveries.totals.delivered': <Figure value={total.delivered} />,
          'consoleDeliveries.totals.inRuns': <Figure value={total.inRuns} />,
          'consoleDeliveries.totals.due': <Figure value={total.due} />,
          'consoleDeliveries.totals.locked': <Figure value={total.locked} />,
        }}
      />
      <PagePart id="by-month" heading={t('consoleDeliveries.totals.byMonth')}>
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
              cell: ({ amount }) => <Figure value={amount} />,
            },
            {
              name: 'delivered',
              heading: t('consoleDeliveries.totals.delivered'),
              isFigure: true,
              cell: ({ delivered }) => <Figure value={delivered} />,
            },
          ]}
        />
      </PagePart>
    </>
  )
}

export default page({ View: TotalsView })
