import type { Delivery, OrderDeliveries } from '#contract/money/deliveries.ts'
import { formatDecimal } from '../../kernel/i18n/format-decimal.ts'
import { formatMoment } from '../../kernel/i18n/format-moment.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { Table } from '../../kernel/ui/table.tsx'
import { Tag } from '../../kernel/ui/tag.tsx'
import { OnExplorer } from '../chain/explorer-link.tsx'
import { deliveryColors, holdKey } from './delivery-labels.ts'
import styles from './delivery.module.css'

/** Each delivery with its date, amount, status, and transaction. */
export function DeliveryTable({ of: { deliveries, explorer } }: { of: OrderDeliveries }) {
  const { t, language } = useMessages()
  return (
    <Table
      caption={t('deliveries.table')}
      rows={deliveries}
      rowKey={({ id }) => id}
      columns={[
        {
          name: 'due',
          heading: t('deliveries.due'),
          cell: ({ dueAt }) => <time dateTime={dueAt}>{formatMoment(dueAt, language)}</time>,
        },
        {
          name: 'amount',
          heading: t('deliveries.amount'),
          isFigure: true,
          cell: ({ amount }) => formatDecimal(amount, language),
        },
        { name: 'state', heading: t('deliveries.state'), cell: (each) => <Status of={each} /> },
        {
          name: 'txId',
          heading: t('deliveries.txId'),
          cell: ({ txId }) =>
            txId === '' ? (
              '–'
            ) : (
              <span className={styles.code}>
                <OnExplorer explorer={explorer} kind="tx">
                  {txId}
                </OnExplorer>
              </span>
            ),
        },
      ]}
    />
  )
}

function Status({ of }: { of: Delivery }) {
  const { t, language } = useMessages()
  const hold = holdKey(of)
  return (
    <div className={styles.status}>
      <Tag colour={deliveryColors[of.state]}>{t(`deliveries.state.${of.state}`)}</Tag>
      {hold && <span>{t(hold)}</span>}
      {of.confirmedAt && <time dateTime={of.confirmedAt}>{formatMoment(of.confirmedAt, language)}</time>}
    </div>
  )
}
