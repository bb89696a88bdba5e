import { useState } from 'react'
import { cancelOrder, type Order } from '#contract/orders.ts'
import { call } from '../../call/call.ts'
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx'
import { useMessages } from '../../i18n/messages.tsx'
import { showNotice } from '../../notices/notices.ts'
import { Button } from '../../ui/button.tsx'
import styles from './order-detail.module.css'

/** Cancels an unpaid order. */
export function CancelOrder({ order, onCancelled }: { order: Order; onCancelled: () => void }) {
  const { t } = useMessages()
  const [isDialogOpen, setIsDialogOpen] = useState(false)
  return (
    <div className={styles.cancel}>
      <Button kind="quiet" onClick={() => setIsDialogOpen(true)}>
        {t('orders.cancel')}
      </Button>
      {isDialogOpen && (
        <ConfirmDialog
          title={t('orders.cancel.title', { reference: order.reference })}
          label={t('orders.cancel.confirm')}
          kind="danger"
          dismissLabel={t('orders.cancel.keep')}
          step={() => call(cancelOrder, { params: { id: order._id }, body: null })}
          onDone={() => {
            showNotice(t('orders.cancel.done'), 'success')
            onCancelled()
          }}
          onClose={() => setIsDialogOpen(false)}
        >
          <p>{t('orders.cancel.text')}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}
