import type { ConsoleOrderDetail } from '#contract/console-orders.ts'
import { useMessages } from '../../../i18n/messages.tsx'
import { formatDecimal } from '../../../orders/format-decimal.ts'
import { pathTo } from '../../../routes/routes.ts'
import { Facts } from '../../../ui/description-list.tsx'
import { Figure, Moment } from '../orders-list.tsx'
import styles from '../orders.module.css'

type Props = { detail: ConsoleOrderDetail }

const Code = ({ children }: { children: string }) =>
  children === '' ? '–' : <span className={styles.code}>{children}</span>

/** The amounts due and received, side by side. */
export function PaymentFacts({ detail }: Props) {
  const { t } = useMessages()
  const { order, paidAmount, paidAt, difference, receivingAddress, sameTransaction } = detail
  return (
    <Facts
      facts={[
        {
          name: 'due',
          label: t('consoleOrders.due'),
          value: <Figure value={order.exactAmount} unit={order.currency} />,
        },
        {
          name: 'received',
          label: t('consoleOrders.received'),
          value:
            paidAmount === null ? (
              t('consoleOrders.received.none')
            ) : (
              <Figure value={paidAmount} unit={order.currency} />
            ),
        },
        ...(difference === null
          ? []
          : [
              {
                name: 'difference',
                label: t('consoleOrders.difference'),
                value: <Difference value={difference} unit={order.currency} />,
              },
            ]),
        ...(paidAt === null
          ? []
          : [{ name: 'paidAt', label: t('consoleOrders.receivedAt'), value: <Moment at={paidAt} /> }]),
        { name: 'txId', label: t('consoleOrders.txId'), value: <Code>{order.txId}</Code> },
        ...(sameTransaction.length === 0
          ? []
          : [
              {
                name: 'same',
                label: t('consoleOrders.sameTransaction'),
                value: (
                  <div className={styles.lines}>
                    {sameTransaction.map(({ id, reference }) => (
                      <p key={id}>
                        <a className={styles.code} href={pathTo('console.order', { id })}>
                          {reference}
                        </a>
                      </p>
                    ))}
                  </div>
                ),
              },
            ]),
        {
          name: 'receiving',
          label: t('consoleOrders.receivingAddress'),
          value: <Code>{receivingAddress}</Code>,
        },
        ...(order.payBefore === null || order.status !== 'pending'
          ? []
          : [
              {
                name: 'deadline',
                label: t('consoleOrders.deadline'),
                value: <Moment at={order.payBefore} />,
              },
            ]),
      ]}
    />
  )
}

/** Signed, so that the difference is clear without color. */
export function Difference({ value, unit }: { value: string; unit: string }) {
  const { t, language } = useMessages()
  if (value === '0') return t('consoleOrders.difference.none')
  const sign = value.startsWith('-') ? '−' : '+'
  return <strong>{`${sign}${formatDecimal(value.replace('-', ''), language)} ${unit}`}</strong>
}

export function OrderedFacts({ detail }: Props) {
  const { t, language } = useMessages()
  const { order, memberEmail, memberName } = detail
  return (
    <Facts
      facts={[
        {
          name: 'member',
          label: t('consoleOrders.member'),
          value: (
            <div className={styles.lines}>
              {memberName && <p>{memberName}</p>}
              <p>{memberEmail}</p>
              <p>
                <a href={`${pathTo('console.orders')}?${new URLSearchParams({ q: memberEmail })}`}>
                  {t('consoleOrders.ofMember')}
                </a>
              </p>
            </div>
          ),
        },
        {
          name: 'placed',
          label: t('consoleOrders.placed'),
          value: <Moment at={order.createdAt} />,
        },
        { name: 'payMethod', label: t('consoleOrders.payMethod'), value: order.payMethod || '–' },
        {
          name: 'quantity',
          label: t('consoleOrders.quantity'),
          value: <Figure value={order.exactFabQty} />,
        },
        ...(order.rate === null
          ? []
          : [
              {
                name: 'rate',
                label: t('consoleOrders.rate'),
                value: t('consoleOrders.rate.value', {
                  coin: order.currency,
                  rate: formatDecimal(order.rate, language),
                }),
              },
            ]),
      ]}
    />
  )
}

export function AddressFacts({ detail: { order } }: Props) {
  const { t } = useMessages()
  return (
    <Facts
      facts={[
        { name: 'fab', label: t('consoleOrders.fabAddress'), value: <Code>{order.fabAddress}</Code> },
        { name: 'eth', label: t('consoleOrders.ethAddress'), value: <Code>{order.ethAddress}</Code> },
        { name: 'btc', label: t('consoleOrders.btcAddress'), value: <Code>{order.btcAddress}</Code> },
        { name: 'email', label: t('consoleOrders.email'), value: order.email || '–' },
      ]}
    />
  )
}
