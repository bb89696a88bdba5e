import { useState, type ReactNode } from 'react'
import { getOrder, getOrderPayment, type Order, type OrderPayment } from '#contract/orders.ts'
import { useBrand } from '../../content/brand.tsx'
import { call } from '../../call/call.ts'
import { useWords } from '../../i18n/words.tsx'
import { LoadFailed } from '../../actions/load-failed.tsx'
import { useLoaded } from '../../actions/use-loaded.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { useSession } from '../../session/session.ts'
import { Message } from '../../ui/form-status.tsx'
import { Loading } from '../../ui/loading.tsx'
import { PageHead, PagePart } from '../../ui/page-head.tsx'
import { pathToConsoleOrder, pathToOrders } from '../order-address.ts'
import { CancelOrder } from './cancel-order.tsx'
import { GiveAddress } from './give-address.tsx'
import styles from './order-detail.module.css'
import { OrderFacts } from './order-facts.tsx'
import { OrderTimeline } from './order-timeline.tsx'
import { PaymentInstructions } from './payment-instructions.tsx'
import { ReportPayment } from './report-payment.tsx'
import { useDeadline } from './use-deadline.ts'

const loadNothing = () => {}

/** One order: what it is, how it is paid while it waits, what has happened, and its receipt once it is completed. */
export function OrderDetail({ id }: { id: string }) {
  const { t } = useWords()
  const { member } = useSession()
  const [hasReported, setHasReported] = useState(false)
  const loaded = useLoaded(id, () =>
    Promise.all([call(getOrder, { params: { id } }), call(getOrderPayment, { params: { id } })]),
  )
  const isReady = loaded.state === 'ready'
  // No deadline runs where a payment is recorded.
  const waiting = isReady && !loaded.data[1].hasRecordedPayment ? loaded.data[0] : undefined
  useDeadline(waiting, isReady ? loaded.reload : loadNothing)
  const back = (
    <p className={styles.back}>
      <a href={pathToOrders()}>{t('orders.back')}</a>
    </p>
  )
  if (loaded.state === 'loading') return <Loading label={t('forms.loading')} />
  if (loaded.state === 'failed')
    return (
      <>
        {back}
        <LoadFailed title={t('orders.detail.loadFailed')} failure={loaded.failure} retry={loaded.retry} />
      </>
    )
  const [order, payment] = loaded.data
  if (order.memberId !== member?.id) return <ForStaff order={order} payment={payment} back={back} />
  const isPending = order.status === 'pending'
  const isCancelled = order.status === 'cancelled'
  return (
    <div className={styles.order}>
      {back}
      <PageHead
        heading={t('orders.open', { reference: order.reference })}
        action={
          order.status === 'completed' && (
            <Button kind="quiet" className={styles.action} onClick={() => window.print()}>
              {t('orders.detail.print')}
            </Button>
          )
        }
      />
      {order.status === 'completed' && <ReceiptHead />}
      <OrderFacts order={order} payment={payment} />
      {order.fabAddress === '' && !isCancelled && <GiveAddress order={order} onGiven={loaded.reload} />}
      {isPending && <PaymentInstructions payment={payment} isDisputed={order.disputed} />}
      {order.status !== 'completed' && (
        <PagePart
          id="report-payment"
          heading={t(isCancelled ? 'orders.late.heading' : 'orders.report.heading')}
        >
          {hasReported && !isCancelled && (
            <Message kind="good" role="status">
              <p>{t('orders.report.done')}</p>
            </Message>
          )}
          <ReportPayment
            key={`${order.status} ${order.txId}`}
            order={order}
            onReported={() => {
              setHasReported(true)
              loaded.reload()
            }}
            onDisputed={loaded.reload}
          />
        </PagePart>
      )}
      <Steps payment={payment} />
      {payment.canWithdraw && <CancelOrder order={order} onCancelled={loaded.reload} />}
    </div>
  )
}

/** Somebody else’s order: its member acts here, and staff in the console. */
function ForStaff({ order, payment, back }: { order: Order; payment: OrderPayment; back: ReactNode }) {
  const { t } = useWords()
  return (
    <div className={styles.order}>
      {back}
      <PageHead heading={t('orders.open', { reference: order.reference })} />
      <div className={styles.elsewhere}>
        <Message kind="note">
          <p>{t('orders.detail.others')}</p>
          <ButtonLink kind="quiet" href={pathToConsoleOrder(order._id)}>
            {t('orders.detail.toConsole')}
          </ButtonLink>
        </Message>
      </div>
      <OrderFacts order={order} payment={payment} />
      <Steps payment={payment} />
    </div>
  )
}

function Steps({ payment }: { payment: OrderPayment }) {
  const { t } = useWords()
  return (
    <PagePart id="order-steps" heading={t('orders.steps.heading')}>
      <OrderTimeline
        status={payment.status}
        steps={payment.steps}
        canPay={payment.payBefore !== null || payment.receivingAddress !== ''}
        isUnpaid={payment.canWithdraw}
        canPayRest={payment.hasRecordedPayment && payment.receivingAddress !== ''}
      />
    </PagePart>
  )
}

/** Shown in print only: the issuer of the receipt. */
function ReceiptHead() {
  const { t } = useWords()
  const { address, email, legalLine } = useBrand()
  return (
    <div className={styles.receipt}>
      <p>
        <strong>{t('orders.detail.receipt')}</strong>
      </p>
      <p>{t('orders.detail.receiptIssued')}</p>
      <address>
        {address.map((line) => (
          <span key={line}>{line}</span>
        ))}
        <span>{email}</span>
      </address>
      <p>{legalLine}</p>
    </div>
  )
}
