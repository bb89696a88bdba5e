import { parseDecimal } from '#contract/platform/decimal.ts'
import { readOrderTotals, type OrderTotals } from '#contract/money/order-totals.ts'
import { NotLoaded } from '../../kernel/actions/not-loaded.tsx'
import { useLoaded } from '../../kernel/actions/use-loaded.ts'
import { call } from '../../kernel/call/call.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { navigate } from '../../kernel/navigation/navigate.ts'
import { formatDecimal } from '../../kernel/i18n/format-decimal.ts'
import { page, type PageProps } from '../../kernel/routes/page.ts'
import { pathTo } from '../../kernel/routes/routes.ts'
import { useSession } from '../../kernel/session/session.ts'
import { BackLink } from '../../kernel/ui/back-link.tsx'
import { Empty } from '../../kernel/ui/empty.tsx'
import { Select, TextField } from '../../kernel/ui/field.tsx'
import { PageHead, PagePart } from '../../kernel/ui/page-head.tsx'
import { Table } from '../../kernel/ui/table.tsx'
import { Figure } from './figure.tsx'
import styles from './orders.module.css'
import { coinsOf, daysOf, type DaySum, sumsOf } from './totals/sums.ts'
import { TotalsTable } from './totals/totals-table.tsx'

function TotalsView({ search }: PageProps<unknown>) {
  const { t } = useMessages()
  const { member } = useSession()
  return (
    <>
      <BackLink href={pathTo('console.orders')}>{t('consoleOrders.back')}</BackLink>
      <PageHead heading={t('console.nav.totals')} lead={t('consoleOrders.totals.lead')} />
      {member && <Loaded search={search} />}
    </>
  )
}

const dayOf = (value: string | null): string =>
  value !== null && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value)) ? value : ''

function Loaded({ search }: { search: URLSearchParams }) {
  const { t } = useMessages()
  const address = {
    from: dayOf(search.get('from')),
    to: dayOf(search.get('to')),
    coin: search.get('coin') ?? '',
  }
  const { from, to } = address
  const loaded = useLoaded(`${from} ${to}`, () =>
    call(readOrderTotals, { query: { ...(from && { from }), ...(to && { to }) } }),
  )
  const shown = loaded.state === 'ready' ? loaded.data : undefined
  const coins = shown ? coinsOf(shown.rows) : []
  const coin = coins.includes(address.coin) ? address.coin : coins[0]
  return (
    <>
      <TotalsFilter
        from={from || shown?.from}
        to={to || shown?.to}
        coin={coin}
        coins={coins}
        onChange={(change) => openTotals({ ...address, ...change })}
      />
      {loaded.state !== 'ready' && <NotLoaded of={loaded} title={t('consoleOrders.totals.failed')} />}
      {shown && shown.rows.length === 0 && <Empty role="status" title={t('consoleOrders.totals.none')} />}
      {shown && coin !== undefined && (
        <>
          <TotalsByCoin totals={shown} />
          <TotalsByDay totals={shown} coin={coin} />
        </>
      )}
    </>
  )
}

type Filter = { from: string; to: string; coin: string }

function openTotals(filter: Filter): void {
  const query = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ''))
  void navigate(query.size > 0 ? `${pathTo('console.totals')}?${query}` : pathTo('console.totals'), {
    inPlace: true,
    replace: true,
  })
}

function TotalsFilter({
  from = '',
  to = '',
  coin,
  coins,
  onChange,
}: Partial<Record<'from' | 'to' | 'coin', string | undefined>> & {
  coins: readonly string[]
  onChange: (change: Partial<Filter>) => void
}) {
  const { t } = useMessages()
  return (
    <div className={styles.span} role="search" aria-label={t('consoleOrders.totals.span')}>
      <TextField
        label={t('consoleOrders.from')}
        type="date"
        value={from}
        onChange={({ target }) => onChange({ from: target.value })}
      />
      <TextField
        label={t('consoleOrders.to')}
        type="date"
        value={to}
        onChange={({ target }) => onChange({ to: target.value })}
      />
      {coins.length > 0 && (
        <Select
          label={t('consoleOrders.coin')}
          value={coin}
          onChange={({ target }) => onChange({ coin: target.value })}
        >
          {coins.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </Select>
      )}
    </div>
  )
}

function TotalsByCoin({ totals }: { totals: OrderTotals }) {
  const { t } = useMessages()
  return (
    <PagePart heading={t('consoleOrders.totals.byCoin')} id="by-coin">
      <TotalsTable caption={t('consoleOrders.totals.byCoin')} rows={sumsOf(totals.rows)} />
    </PagePart>
  )
}

function TotalsByDay({ totals, coin }: { totals: OrderTotals; coin: string }) {
  const { t, formatDate, formatNumber } = useMessages()
  const days = daysOf(totals, coin)
  return (
    <PagePart
      heading={t('consoleOrders.totals.byDay', { coin })}
      lead={t('consoleOrders.totals.byDay.lead')}
      id="by-day"
    >
      <DayChart days={days} coin={coin} />
      <details>
        <summary className={styles.summary}>{t('consoleOrders.totals.table')}</summary>
        <Table
          caption={t('consoleOrders.totals.byDay', { coin })}
          rows={days.filter(({ count }) => count > 0).toReversed()}
          rowKey={({ day }) => day}
          columns={[
            {
              name: 'day',
              heading: t('consoleOrders.totals.day'),
              cell: ({ day }) => <time dateTime={day}>{formatDate(`${day}T12:00:00Z`)}</time>,
            },
            {
              name: 'count',
              heading: t('consoleOrders.totals.count'),
              isFigure: true,
              cell: ({ count }) => formatNumber(count),
            },
            {
              name: 'completed',
              heading: t('orders.status.completed'),
              isFigure: true,
              cell: ({ completed }) => <Figure value={completed} unit={coin} />,
            },
            {
              name: 'pending',
              heading: t('orders.status.pending'),
              isFigure: true,
              cell: ({ pending }) => <Figure value={pending} unit={coin} />,
            },
            {
              name: 'cancelled',
              heading: t('orders.status.cancelled'),
              isFigure: true,
              cell: ({ cancelled }) => <Figure value={cancelled} unit={coin} />,
            },
          ]}
        />
      </details>
    </PagePart>
  )
}

const height = 120
/** Resolution of a bar's height as a fraction of the highest bar. Bars need numbers, while totals stay exact. */
const parts = 10_000n

/** Completed and pending orders by day. The table below has the same data. */
function DayChart({ days, coin }: { days: readonly DaySum[]; coin: string }) {
  const { t, language, formatDate, nameValue } = useMessages()
  const totals = days.map(({ completed, pending }) => parseDecimal(completed) + parseDecimal(pending))
  const highest = totals.reduce((high, each) => (each > high ? each : high), 0n)
  const at = totals.indexOf(highest)
  const share = (amount: bigint) => (highest === 0n ? 0 : Number((amount * parts) / highest) / Number(parts))
  const best = days[at]
  const dateOf = (day: string) => formatDate(`${day}T12:00:00Z`)
  return (
    <figure className={styles.chart}>
      <svg
        viewBox={`0 0 ${days.length * 10} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={
          highest === 0n || !best
            ? t('consoleOrders.totals.chart.none')
            : t('consoleOrders.totals.chart', { day: dateOf(best.day) })
        }
      >
        {days.map((day, index) => {
          const done = share(parseDecimal(day.completed)) * (height - 4)
          const waiting = share(parseDecimal(day.pending)) * (height - 4)
          return (
            <g key={day.day}>
              <title>
                {nameValue(
                  dateOf(day.day),
                  `${formatDecimal(day.completed, language)} / ${formatDecimal(day.pending, language)} ${coin}`,
                )}
              </title>
              <rect className={styles.hit} x={index * 10} y="0" width="10" height={height} />
              <rect className={styles.done} x={index * 10 + 1.5} y={height - done} width="7" height={done} />
              <rect
                className={styles.waiting}
                x={index * 10 + 1.5}
                y={height - done - waiting}
                width="7"
                height={waiting}
              />
            </g>
          )
        })}
      </svg>
      <figcaption>
        <span>{days[0] && dateOf(days[0].day)}</span>
        <span className={styles.to}>{days.at(-1) && dateOf(days.at(-1)!.day)}</span>
        <span className={styles.keys}>
          <span className={styles.key} data-of="done">
            {t('orders.status.completed')}
          </span>
          <span className={styles.key} data-of="waiting">
            {t('orders.status.pending')}
          </span>
        </span>
      </figcaption>
    </figure>
  )
}

export default page({ View: TotalsView })
