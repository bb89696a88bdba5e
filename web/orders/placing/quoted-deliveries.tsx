import type { Quote } from '#contract/money/sale.ts'
import { formatDecimal } from '../../kernel/i18n/format-decimal.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { formatPeriod } from '../../kernel/rounds/describe-round.ts'
import { Table } from '../../kernel/ui/table.tsx'

type Delivery = Quote['deliveries'][number]

/** When the tokens of a quote come, if not all at once. */
export function QuotedDeliveries({ of }: { of: readonly Delivery[] }) {
  const messages = useMessages()
  const { t, language } = messages
  return (
    <Table
      caption={t('orders.quote.deliveries')}
      columns={[
        {
          name: 'due',
          heading: t('orders.quote.deliveries.due'),
          cell: ({ dueAfter: { count, unit } }: Delivery) =>
            count === 0
              ? t('orders.quote.deliveries.first')
              : t('orders.quote.deliveries.after', { period: formatPeriod(count, unit, messages) }),
        },
        {
          name: 'amount',
          heading: t('orders.ticker'),
          cell: ({ amount }: Delivery) => formatDecimal(amount, language),
          isFigure: true,
        },
      ]}
      rows={of}
      rowKey={({ dueAfter: { count, unit } }) => `${count} ${unit}`}
    />
  )
}
