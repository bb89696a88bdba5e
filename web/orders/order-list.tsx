import type { Order } from '#contract/orders.ts'
import { useMessages, type UsedMessages } from '../i18n/messages.tsx'
import { Empty } from '../ui/empty.tsx'
import { Table, type Column } from '../ui/table.tsx'
import { Tag } from '../ui/tag.tsx'
import { formatDecimal } from './format-decimal.ts'
import { pathToOrder } from './order-address.ts'
import styles from './order-list.module.css'
import { orderStates } from './order-states.ts'
import { parseDecimal, parseNumber, writeDecimal } from '#contract/decimal.ts'

/** Only orders with a payment method have a row. Rows are numbered in their order. */
export const isListed = ({ payMethod }: Pick<Order, 'payMethod'>): boolean => payMethod !== ''

function columnsIn({ t, language }: Pick<UsedMessages, 't' | 'language'>): Column<Order>[] {
  const quantity = (exact: string | null) =>
    exact === null ? t('orders.unknown') : formatDecimal(exact, language)
  return [
    {
      name: 'number',
      heading: t('orders.number'),
      cell: (order, index) => (
        <span className={styles.number}>
          {index + 1}
          <a href={pathToOrder(order._id)} aria-label={t('orders.open', { reference: order.reference })}>
            {order.reference}
          </a>
        </span>
      ),
    },
    { name: 'payMethod', heading: t('orders.payMethod'), cell: (order) => order.payMethod },
    {
      name: 'amount',
      heading: t('orders.amount'),
      // The coin's name is next to the figure, so no unit is needed.
      cell: (order) =>
        order.exactAmount === null || order.currency === order.payMethod
          ? quantity(order.exactAmount)
          : `${quantity(order.exactAmount)} ${order.currency}`,
      isFigure: true,
    },
    {
      name: 'fabQty',
      heading: t('orders.fabQty'),
      cell: (order) => quantity(order.exactFabQty),
      isFigure: true,
    },
    {
      name: 'status',
      heading: t('orders.status'),
      cell: ({ status }) => <Tag colour={orderStates[status].colour}>{t(orderStates[status].words)}</Tag>,
    },
  ]
}

/** One row for every order with a payment method. The total includes all completed orders, even those without a row. */
export function OrderList({ orders }: { orders: readonly Order[] }) {
  const messages = useMessages()
  const { t, language } = messages
  const listed = orders.filter(isListed)
  const unlisted = orders.length - listed.length
  if (orders.length === 0)
    return (
      <Empty title={t('orders.empty')}>
        <p>{t('orders.emptyHelp')}</p>
      </Empty>
    )
  return (
    <Table
      caption={t('orders.heading')}
      columns={columnsIn(messages)}
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

type Counted = { status: string; fabQty: number | null; exactFabQty?: string | null }

/** Whether an order counts: it is completed, in any letter case, and its quantity is a number. */
export const countsTowardsTotal = (order: Counted): boolean =>
  order.status.toLowerCase() === 'completed' &&
  typeof order.fabQty === 'number' &&
  Number.isFinite(order.fabQty)

/** Returns the exact sum of the quantities that count, as a plain decimal such as `1200.5`. */
export const orderTotal = (orders: readonly Counted[]): string =>
  writeDecimal(orders.filter(countsTowardsTotal).reduce((sum, order) => sum + quantityOf(order), 0n))

/** The text keeps digits that a JavaScript number would lose. */
const quantityOf = ({ exactFabQty, fabQty }: Counted): bigint =>
  exactFabQty ? parseDecimal(exactFabQty) : parseNumber(fabQty ?? 0)
