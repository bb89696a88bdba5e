import type { ConsoleOrderDetail } from '#contract/console-orders.ts'
import { parseDecimal, writeDecimal } from '#contract/decimal.ts'
import { useMessages } from '../../../i18n/messages.tsx'
import { formatDecimal } from '../../../orders/format-decimal.ts'
import { Facts } from '../../../ui/description-list.tsx'
import { Figure } from '../orders-list.tsx'
import styles from '../orders.module.css'
import type { Values } from './action.ts'
import { Difference } from './order-facts.tsx'
import { decimalOf } from './payment-actions.ts'

/** What completing the order with the current entries is based on, and its effects. */
export function CompletionFacts({ detail, values }: { detail: ConsoleOrderDetail; values: Values }) {
  const { t, language } = useMessages()
  const { order, paidAmount } = detail
  const received = paidAmount ?? decimalOf(values['paidAmount']) ?? null
  const difference =
    received === null || order.exactAmount === null
      ? null
      : writeDecimal(parseDecimal(received) - parseDecimal(order.exactAmount))
  const txId = order.txId || (values['txId'] ?? '').trim()
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
            received === null ? (
              <strong>{t('consoleOrders.received.none')}</strong>
            ) : (
              <Figure value={received} unit={order.currency} />
            ),
        },
        {
          name: 'difference',
          label: t('consoleOrders.difference'),
          value: difference === null ? '–' : <Difference value={difference} unit={order.currency} />,
        },
        {
          name: 'txId',
          label: t('consoleOrders.txId'),
          value: txId ? (
            <span className={styles.code}>{txId}</span>
          ) : (
            t('consoleOrders.complete.noTransaction')
          ),
        },
        {
          name: 'destination',
          label: t('consoleOrders.complete.destination'),
          value: (
            <div className={styles.lines}>
              <p>
                {order.exactFabQty === null
                  ? t('consoleOrders.unknown')
                  : t('consoleOrders.complete.tokens', {
                      quantity: formatDecimal(order.exactFabQty, language),
                    })}
              </p>
              <p className={order.fabAddress ? styles.code : undefined}>
                {order.fabAddress || <strong>{t('consoleOrders.complete.noAddress')}</strong>}
              </p>
            </div>
          ),
        },
      ]}
    />
  )
}
