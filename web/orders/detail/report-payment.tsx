import { reportPayment, type Order } from '#contract/orders.ts'
import { call } from '../../call/call.ts'
import { FormFrame } from '../../forms/form-frame.tsx'
import { FormInput } from '../../forms/form-input.tsx'
import { useContractForm } from '../../forms/use-contract-form.ts'
import { useWords } from '../../i18n/words.tsx'
import styles from './order-detail.module.css'

/** Reports the transaction that paid the order; a reported one can be corrected. */
export function ReportPayment({ order, onReported }: { order: Order; onReported: () => void }) {
  const { t } = useWords()
  const isReported = order.txId !== ''
  const reportForm = useContractForm({
    schema: reportPayment.body,
    labels: { txId: 'orders.txId' },
    defaultValues: { txId: order.txId },
    submit: async (body) => {
      await call(reportPayment, { params: { id: order._id }, body })
      onReported()
    },
  })
  return (
    <div className={styles.report}>
      <p>{t(isReported ? 'orders.report.reported' : 'orders.report.lead')}</p>
      <FormFrame
        of={reportForm}
        submitLabel={t(isReported ? 'orders.report.correct' : 'orders.report.submit')}
        busyLabel={t('orders.report.busy')}
        label={t('orders.report.heading')}
      >
        <FormInput
          of={reportForm}
          name="txId"
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
        />
      </FormFrame>
    </div>
  )
}
