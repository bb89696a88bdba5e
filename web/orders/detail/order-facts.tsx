import type { ReactNode } from 'react'
import type { Order, OrderPayment } from '#contract/orders.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { Address } from '../../ui/address.tsx'
import { Facts, type Fact } from '../../ui/description-list.tsx'
import { Tag } from '../../ui/tag.tsx'
import { formatDecimal } from '../format-decimal.ts'
import { orderStates } from '../order-states.ts'
import styles from './order-detail.module.css'

/** The details of the order, on the screen and on the receipt. */
export function OrderFacts({
  order,
  payment,
  isArriving = false,
}: {
  order: Order
  payment: OrderPayment
  /** Whether its payment is on its way, so that there is no deadline. */
  isArriving?: boolean
}) {
  const { t, language, formatMoment } = useMessages()
  const figure = (exact: string | null, unit: string) =>
    exact === null ? t('orders.unknown') : `${formatDecimal(exact, language)} ${unit}`.trim()
  const optional = (name: string, label: string, value: string, shown: ReactNode = value): Fact[] =>
    value === '' ? [] : [{ name, label, value: <span className={styles.code}>{shown}</span> }]
  const moment = (iso: string) => <time dateTime={iso}>{formatMoment(iso)}</time>
  const state = orderStates[order.status]
  const isUndue = order.status === 'pending' && (payment.hasRecordedPayment || isArriving)
  const facts: Fact[] = [
    { name: 'status', label: t('orders.status'), value: <Tag colour={state.colour}>{t(state.words)}</Tag> },
    ...optional('name', t('orders.name'), payment.name),
    {
      name: 'placedAt',
      label: t('orders.placedAt'),
      value: moment(order.createdAt),
    },
    ...(order.payBefore === null || order.status === 'cancelled' || order.disputed || isUndue
      ? []
      : [{ name: 'payBefore', label: t('orders.payBefore'), value: moment(order.payBefore) }]),
    { name: 'payMethod', label: t('orders.payMethod'), value: order.payMethod || t('orders.unknown') },
    { name: 'amount', label: t('orders.amount'), value: figure(order.exactAmount, order.currency) },
    { name: 'fabQty', label: t('orders.fabQty'), value: figure(order.exactFabQty, t('orders.ticker')) },
    ...(order.rate === null
      ? []
      : [
          {
            name: 'rate',
            label: t('orders.rate'),
            value: t('orders.rate.value', {
              method: order.currency,
              rate: formatDecimal(order.rate, language),
            }),
          },
        ]),
    ...optional('fabAddress', t('orders.fabAddress'), order.fabAddress),
    ...optional('email', t('orders.email'), order.email, <Address email={order.email} />),
    ...optional('txId', t('orders.txId'), order.txId),
  ]
  return <Facts facts={facts} />
}
