import { reportPayment, type Order } from '#contract/money/orders.ts'
import { call, CallFailed } from '../../kernel/call/call.ts'
import { FormFrame } from '../../kernel/forms/form-frame.tsx'
import { FormLongText } from '../../kernel/forms/long-text.tsx'
import { useContractForm } from '../../kernel/forms/use-contract-form.ts'
import type { PlainKey } from '../../kernel/i18n/message-key.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import styles from './order-detail.module.css'

/** A transaction of another order is a conflict, which is shown at the field. */
const atField = (failure: unknown): unknown =>
  failure instanceof CallFailed && failure.code === 'conflict' && failure.errors.length > 0
    ? new CallFailed('validation_failed', failure.message, { errors: failure.errors })
    : failure

const isDispute = (failure: unknown): boolean =>
  failure instanceof CallFailed && failure.errors.some(({ code }) => code === 'tx_used')

/** Reports the transaction that paid the order. A report can be corrected, even for a canceled order. */
export function ReportPayment({
  order,
  lead,
  onReported,
  onDisputed,
}: {
  order: Order
  /** Set if the request differs from what the order's status says. */
  lead?: PlainKey | undefined
  onReported: () => void
  onDisputed: () => void
}) {
  const { t } = useMessages()
  const isLate = order.status === 'cancelled'
  const isReported = isLate ? order.reportedLate : order.txId !== ''
  const shownLead = lead ?? leadOf(order, isReported)
  const reportForm = useContractForm({
    schema: reportPayment.body,
    labels: { txId: 'orders.txId' },
    defaultValues: { txId: order.txId },
    submit: async (body) => {
      await call(reportPayment, { params: { id: order._id }, body }).catch((failure: unknown) => {
        // The report is stored in any case, so the page shows the new status.
        if (isDispute(failure)) onDisputed()
        throw atField(failure)
      })
      onReported()
    },
  })
  return (
    <div className={styles.report}>
      {shownLead && <p>{t(shownLead)}</p>}
      <FormFrame
        of={reportForm}
        submitLabel={t(isReported ? 'orders.report.correct' : 'orders.report.submit')}
        busyLabel={t('orders.report.busy')}
        label={t(isLate ? 'orders.late.heading' : 'orders.report.heading')}
      >
        <FormLongText of={reportForm} name="txId" />
      </FormFrame>
    </div>
  )
}

/** Nothing for a dispute or a late report, which the top of the page describes. */
function leadOf(order: Order, isReported: boolean): PlainKey | undefined {
  if (order.disputed) return undefined
  if (order.status === 'cancelled') return isReported ? 'orders.late.reported' : 'orders.late.lead'
  if (order.reportedLate) return undefined
  return isReported ? 'orders.report.reported' : 'orders.report.lead'
}
