import type { MemberOrderTotals } from '#contract/money/order-totals.ts'
import { useMessages } from '../../../kernel/i18n/messages.tsx'
import { Table, type Column } from '../../../kernel/ui/table.tsx'
import { Figure } from '../figure.tsx'
import { OrderState } from '../orders-list.tsx'

type Row = Omit<MemberOrderTotals[number], 'received'> & { received?: string }

/** Totals by coin and status. The received amounts are shown if the rows contain them. */
export function TotalsTable({ caption, rows }: { caption: string; rows: readonly Row[] }) {
  const { t, formatNumber } = useMessages()
  const received: Column<Row> = {
    name: 'received',
    heading: t('consoleOrders.received'),
    isFigure: true,
    cell: ({ received: sum = null, currency }) => <Figure value={sum} unit={currency} />,
  }
  return (
    <Table
      caption={caption}
      rows={rows}
      rowKey={({ currency, status }) => `${currency} ${status}`}
      columns={[
        { name: 'coin', heading: t('consoleOrders.coin'), cell: ({ currency }) => currency || '–' },
        {
          name: 'state',
          heading: t('consoleOrders.state'),
          cell: ({ status }) => <OrderState status={status} />,
        },
        {
          name: 'count',
          heading: t('consoleOrders.totals.count'),
          isFigure: true,
          cell: ({ count }) => formatNumber(count),
        },
        {
          name: 'amount',
          heading: t('consoleOrders.amount'),
          isFigure: true,
          cell: ({ amount, currency }) => <Figure value={amount} unit={currency} />,
        },
        ...(rows.some((row) => row.received !== undefined) ? [received] : []),
        {
          name: 'quantity',
          heading: t('consoleOrders.quantity'),
          isFigure: true,
          cell: ({ quantity }) => <Figure value={quantity} />,
        },
      ]}
    />
  )
}
