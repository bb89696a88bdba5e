import type { OrderPayment, OrderState, OrderStepKind } from '#contract/orders.ts'
import type { PlainKey } from '../../i18n/message-key.ts'
import { useWords } from '../../i18n/words.tsx'
import styles from './order-timeline.module.css'

const words: Readonly<Record<OrderStepKind, PlainKey>> = {
  placed: 'orders.steps.placed',
  payment_reported: 'orders.steps.paymentReported',
  completed: 'orders.steps.completed',
  cancelled: 'orders.steps.cancelled',
  entered: 'orders.steps.entered',
  reported_late: 'orders.steps.reportedLate',
  unpaid: 'orders.steps.unpaid',
  withdrawn: 'orders.steps.withdrawn',
  address_given: 'orders.steps.addressGiven',
  corrected: 'orders.steps.corrected',
  transaction_shared: 'orders.steps.transactionShared',
}

/** What has happened, oldest first, and while the order is pending what comes next. */
export function OrderTimeline({ status, steps }: { status: OrderState; steps: OrderPayment['steps'] }) {
  const { t, formatMoment } = useWords()
  const isReported = steps.some(({ kind }) => kind === 'payment_reported')
  return (
    <ol className={styles.steps}>
      {steps.map(({ kind, at, reason }) => (
        <li key={kind + at} data-kind={kind}>
          {t(words[kind])}
          <time dateTime={at}>{formatMoment(at)}</time>
          {reason && <span className={styles.reason}>{t('orders.steps.reason', { reason })}</span>}
        </li>
      ))}
      {status === 'pending' && (
        <li data-kind="next" aria-current="step">
          {t(isReported ? 'orders.steps.waitingForFinance' : 'orders.steps.waitingForPayment')}
        </li>
      )}
    </ol>
  )
}
