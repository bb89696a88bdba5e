import type { Order, OrderState } from '#contract/orders.ts'
import type { MessageKey } from '../i18n/message-key.ts'
import { useWords } from '../i18n/words.tsx'
import { Empty } from '../ui/empty.tsx'
import { Table, type Column } from '../ui/table.tsx'
import { Tag, type TagColour } from '../ui/tag.tsx'
import { formatDecimal } from './format-decimal.ts'
import styles from './order-list.module.css'
import { orderTotal } from './order-total.ts'

const states: Readonly<Record<OrderState, { words: MessageKey; colour: TagColour }>> = {
  pending: { words: 'orders.status.pending', colour: 'yellow' },
  completed: { words: 'orders.status.completed', colour: 'green' },
  cancelled: { words: 'orders.status.cancelled', colour: 'quiet' },
}

/** A row for every order with a pay method; the total counts all completed ones, also those without a row. */
export function OrderList({ orders }: { orders: readonly Order[] }) {
  const { t, language } = useWords()
  const listed = orders.filter((order) => order.payMethod !== '')
  const unlisted = orders.length - listed.length
  const quantity = (value: number | null) =>
    value === null ? t('orders.unknown') : formatDecimal(String(value), language)
  const columns: Column<Order>[] = [
    { name: 'number', heading: t('orders.number'), cell: (_, index) => index + 1 },
    { name: 'payMethod', heading: t('orders.payMethod'), cell: (order) => order.payMethod },
    { name: 'amount', heading: t('orders.amount'), cell: (order) => quantity(order.amount), isFigure: true },
    { name: 'fabQty', heading: t('orders.fabQty'), cell: (order) => quantity(order.fabQty), isFigure: true },
    {
      name: 'status',
      heading: t('orders.status'),
      cell: ({ status }) => <Tag colour={states[status].colour}>{t(states[status].words)}</Tag>,
    },
  ]
  if (orders.length === 0)
    return (
      <Empty title={t('orders.empty')}>
        <p>{t('orders.emptyHelp')}</p>
      </Empty>
    )
  return (
    <Table
      caption={t('orders.heading')}
      columns={columns}
      rows={listed}
      rowKey={(order) => order._id}
      foot={
        <div className={styles.foot}>
          <p className={styles.total}>
            <span>{t('orders.total')}</span>{' '}
            <strong>{t('orders.quantity', { quantity: formatDecimal(orderTotal(orders), language) })}</strong>
          </p>
          <p>{t('orders.totalHelp')}</p>
          {unlisted > 0 && <p>{t('orders.unlisted', { count: unlisted })}</p>}
        </div>
      }
    />
  )
}
