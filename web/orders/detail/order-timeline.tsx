import type { ChainPayment } from '#contract/money/chain-payments.ts'
import type { OrderPayment, OrderState, OrderStepKind } from '#contract/money/orders.ts'
import type { PlainKey } from '../../kernel/i18n/message-key.ts'
import { formatMoment } from '../../kernel/i18n/format-moment.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { chainNext } from '../chain/chain-labels.ts'
import styles from './order-timeline.module.css'

const labels: Readonly<Record<OrderStepKind, PlainKey>> = {
  placed: 'orders.steps.placed',
  payment_reported: 'orders.steps.paymentReported',
  payment_dropped: 'orders.steps.paymentDropped',
  completed: 'orders.steps.completed',
  cancelled: 'orders.steps.cancelled',
  entered: 'orders.steps.entered',
  reported_late: 'orders.steps.reportedLate',
  unpaid: 'orders.steps.unpaid',
  withdrawn: 'orders.steps.withdrawn',
  address_given: 'orders.steps.addressGiven',
  address_changed: 'orders.steps.addressChanged',
  corrected: 'orders.steps.corrected',
  transaction_shared: 'orders.steps.transactionShared',
  disputed: 'orders.steps.disputed',
  deadline_extended: 'orders.steps.deadlineExtended',
  payable: 'orders.steps.payable',
  payment_recorded: 'orders.steps.paymentRecorded',
  withdrawal_requested: 'orders.steps.withdrawalRequested',
  refund_opened: 'orders.steps.refundOpened',
  withdrawal_accepted: 'orders.steps.withdrawalAccepted',
  withdrawal_refused: 'orders.steps.withdrawalRefused',
  withdrawal_closed: 'orders.steps.withdrawalClosed',
  refunded: 'orders.steps.refunded',
}

/** Steps after which finance acts next. */
const ofReports: readonly OrderStepKind[] = [
  'payment_reported',
  'reported_late',
  'disputed',
  'payment_recorded',
]

/** Past steps, oldest first, and the next step while the order is pending. */
export function OrderTimeline({
  status,
  steps,
  canPay = true,
  isUnpaid = false,
  canPayRest = false,
  chain = null,
}: {
  status: OrderState
  steps: OrderPayment['steps']
  canPay?: boolean
  /** Earlier reports no longer count as payments of the order. */
  isUnpaid?: boolean
  canPayRest?: boolean
  /** The payment seen on its chain, if the chain is monitored. */
  chain?: ChainPayment | null
}) {
  const { t, language } = useMessages()
  const isReported = !isUnpaid && steps.some(({ kind }) => ofReports.includes(kind))
  // At a shared address, finance decides until the reported transaction is seen, and whenever finance has recorded a
  // payment.
  const isShownByChain =
    chain !== null && !canPayRest && (chain.state !== 'awaited' || (chain.isOwnAddress && !isReported))
  const nextOnChain = isShownByChain && canPay ? chainNext[chain.state] : undefined
  return (
    <ol className={styles.steps}>
      {steps.map(({ kind, at, reason, txId }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- steps are only ever appended
        <li key={index} data-kind={kind}>
          {t(seenLabel(kind, txId, chain) ?? labels[kind])}
          <time dateTime={at}>{formatMoment(at, language)}</time>
          {txId && <span className={styles.transaction}>{txId}</span>}
          {reason && <span className={styles.reason}>{t('orders.steps.reason', { reason })}</span>}
        </li>
      ))}
      {status === 'pending' && (
        <li data-kind="next" aria-current="step">
          {t(nextOnChain ?? (canPayRest ? 'orders.steps.waitingForRest' : nextStep(isReported, canPay)))}
        </li>
      )}
    </ol>
  )
}

const nextStep = (isReported: boolean, canPay: boolean): PlainKey => {
  if (isReported) return 'orders.steps.waitingForFinance'
  return canPay ? 'orders.steps.waitingForPayment' : 'orders.steps.waitingForAddress'
}

/** A payment to the order's own address was found there without a report. */
function seenLabel(kind: OrderStepKind, txId: string, chain: ChainPayment | null): PlainKey | undefined {
  if (!chain?.isOwnAddress || !chain.transactions.some(({ id }) => id === txId)) return undefined
  if (kind === 'payment_reported') return 'chainPayment.step.seen'
  return kind === 'reported_late' ? 'chainPayment.step.seenLate' : undefined
}
