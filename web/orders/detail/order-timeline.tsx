import type { OrderPayment, OrderState, OrderStepKind } from '#contract/orders.ts'
import type { PlainKey } from '../../i18n/message-key.ts'
import { useWords } from '../../i18n/words.tsx'
import styles from './order-timeline.module.css'

const words: Readonly<Record<OrderStepKind, PlainKey>> = {
  placed: 'orders.steps.placed',
  payment_reported: 'orders.steps.paymentReported',
  completed: 'orders.steps.completed',
  cancelled: 'orders.steps.cancelled',
}

/** What has happened, oldest first, and while the order is pending what comes next. */
export function OrderTimeline({ status, steps }: { status: OrderState; steps: OrderPayment['steps'] }) {
  const { t, formatDateTime } = useWords()
  const isReported = steps.some(({ kind }) => kind === 'payment_reported')
  return (
    <ol className={styles.steps}>
      {steps.map(({ kind, at }) => (
        <li key={kind + at} data-kind={kind}>
          {t(words[kind])}
          <time dateTime={at}>{formatDateTime(at)}</time>
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
