import type { OrderFieldChange } from '#contract/console-orders.ts'
import type { PlainKey } from '../../../i18n/message-key.ts'
import { useMessages } from '../../../i18n/messages.tsx'
import { formatDecimal } from '../../../orders/format-decimal.ts'
import styles from '../orders.module.css'

const labels: Readonly<Record<string, PlainKey>> = {
  payMethod: 'consoleOrders.payMethod',
  amount: 'consoleOrders.amount',
  fabQty: 'consoleOrders.quantity',
  fabAddress: 'consoleOrders.fabAddress',
  ethAddress: 'consoleOrders.ethAddress',
  btcAddress: 'consoleOrders.btcAddress',
  email: 'consoleOrders.email',
  txId: 'consoleOrders.txId',
  paidAmount: 'consoleOrders.received',
  paidAt: 'consoleOrders.receivedAt',
  refundAmount: 'consoleOrders.refundAmount',
  refundTxId: 'consoleOrders.refundTxId',
}
const decimals: readonly string[] = ['amount', 'fabQty', 'paidAmount']
const codeOf = (field: string) => (/(?:Address|^txId|TxId)$/.test(field) ? styles.code : undefined)
const isPlainDecimal = (value: string): boolean => /^\d+(?:\.\d+)?$/.test(value)

/** Fields with their values before and after. */
export function ChangeTable({ changes }: { changes: readonly OrderFieldChange[] }) {
  const { t, language, formatMoment } = useMessages()
  const formatValue = (field: string, value: string | null) => {
    if (value === null) return '–'
    if (field === 'paidAt') return formatMoment(value)
    return decimals.includes(field) && isPlainDecimal(value) ? formatDecimal(value, language) : value
  }
  return (
    <table className={styles.changes}>
      <thead>
        <tr>
          <th scope="col">{t('consoleOrders.correct.field')}</th>
          <th scope="col">{t('consoleOrders.correct.before')}</th>
          <th scope="col">{t('consoleOrders.correct.after')}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ field, before, after }) => (
          <tr key={field}>
            <th scope="row">{labels[field] ? t(labels[field]) : field}</th>
            <td className={codeOf(field)}>{formatValue(field, before)}</td>
            <td className={codeOf(field)}>{formatValue(field, after)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
