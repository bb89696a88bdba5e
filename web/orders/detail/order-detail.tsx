import { useState, type ReactNode } from 'react'
import type { ChainPayment } from '#contract/chain-payments.ts'
import type { Order, OrderPayment } from '#contract/orders.ts'
import { useBrand } from '../../content/brand.tsx'
import { useWords } from '../../i18n/words.tsx'
import { LoadFailed } from '../../actions/load-failed.tsx'
import { useLoaded } from '../../actions/use-loaded.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { useSession } from '../../session/session.ts'
import { Message } from '../../ui/form-status.tsx'
import { Loading } from '../../ui/loading.tsx'
import { PageHead, PagePart } from '../../ui/page-head.tsx'
import { pathToConsoleOrder, pathToOrders } from '../order-address.ts'
import { hasArrived } from '../chain/chain-figures.ts'
import { chainNext } from '../chain/chain-words.ts'
import { CancelOrder } from './cancel-order.tsx'
import { ChainPart } from './chain-part.tsx'
import { GiveAddress } from './give-address.tsx'
import styles from './order-detail.module.css'
import { OrderFacts } from './order-facts.tsx'
import { OrderTimeline } from './order-timeline.tsx'
import { PaymentInstructions } from './payment-instructions.tsx'
import { ReportPayment } from './report-payment.tsx'
import { useDeadline } from './use-deadline.ts'
import { loadShownOrder, useFollowed } from './use-followed.ts'

const loadNothing = () => {}

/** One order: what it is, how it is paid while it waits, what has happened, and its receipt once it is completed. */
export function OrderDetail({ id }: { id: string }) {
  const { t } = useWords()
  const { member } = useSession()
  const [hasReported, setHasReported] = useState(false)
  const loaded = useLoaded(id, () => loadShownOrder(id))
  const isReady = loaded.state === 'ready'
  // No deadline runs where a payment is recorded.
  const waiting = isReady && !loaded.data.payment.hasRecordedPayment ? loaded.data.order : undefined
  useDeadline(waiting, isReady ? loaded.reload : loadNothing)
  const isOwn = isReady && loaded.data.order.memberId === member?.id
  const following = useFollowed(isOwn ? loaded.data : undefined, isReady ? loaded.setData : loadNothing)
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
  const { order, payment, chain = null } = loaded.data
  if (!isOwn) return <ForStaff order={order} payment={payment} back={back} />
  const isPending = order.status === 'pending'
  const isCancelled = order.status === 'cancelled'
  const isCompleted = order.status === 'completed'
  const isArriving = chain !== null && hasArrived(chain)
  const onChain = chain && <ChainPart chain={chain} order={order} following={following} />
  const report = (
    <>
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
    </>
  )
  const paying = (
    <>
      {isPending && <PaymentInstructions payment={payment} chain={chain} isDisputed={order.disputed} />}
      {isPending && chain && seesItself(chain, order)
        ? (!chain.isOwnAddress || !isArriving || chain.isStale) && (
            <details className={styles.byHand} open={chain.isStale || hasReported}>
              <summary>
                {t(order.txId === '' ? 'chainPayment.byHand' : 'chainPayment.byHand.correct')}
              </summary>
              {report}
            </details>
          )
        : !isCompleted && (
            <PagePart
              id="report-payment"
              heading={t(isCancelled ? 'orders.late.heading' : 'orders.report.heading')}
            >
              {report}
            </PagePart>
          )}
    </>
  )
  const facts = (
    <>
      <OrderFacts order={order} payment={payment} isArriving={isArriving} />
      {order.fabAddress === '' && !isCancelled && <GiveAddress order={order} onGiven={loaded.reload} />}
    </>
  )
  // What to do next comes first.
  const isFollowed = chain !== null && !isCompleted
  return (
    <div className={styles.order}>
      {back}
      <PageHead
        heading={t('orders.open', { reference: order.reference })}
        action={
          isCompleted && (
            <Button kind="quiet" className={styles.action} onClick={() => window.print()}>
              {t('orders.detail.print')}
            </Button>
          )
        }
      />
      {isCompleted && <ReceiptHead />}
      {isFollowed ? (
        <>
          {onChain}
          {paying}
          <div className={styles.facts}>{facts}</div>
        </>
      ) : (
        <>
          {facts}
          {paying}
        </>
      )}
      {isCompleted && onChain}
      <Steps payment={payment} chain={chain} />
      {payment.canWithdraw && !(chain && hasArrived(chain)) && (
        <CancelOrder order={order} onCancelled={loaded.reload} />
      )}
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

/** Nothing has to be reported: what arrives at an address of its own is found, and what was reported is known. */
const seesItself = (chain: ChainPayment, order: Order): boolean =>
  (chain.isOwnAddress || hasArrived(chain)) && !order.disputed && !order.reportedLate

function Steps({ payment, chain = null }: { payment: OrderPayment; chain?: ChainPayment | null }) {
  const { t } = useWords()
  return (
    <PagePart id="order-steps" heading={t('orders.steps.heading')}>
      <OrderTimeline
        status={payment.status}
        steps={payment.steps}
        canPay={payment.payBefore !== null || payment.receivingAddress !== ''}
        isUnpaid={payment.canWithdraw}
        canPayRest={payment.hasRecordedPayment && payment.receivingAddress !== ''}
        next={chain ? chainNextOf(chain, payment) : undefined}
      />
    </PagePart>
  )
}

/** While nothing has come yet, only an address of its own lets the chain speak for the order. */
const chainNextOf = (chain: ChainPayment, payment: OrderPayment) =>
  payment.hasRecordedPayment || (chain.state === 'awaited' && (!chain.isOwnAddress || payment.txId !== ''))
    ? undefined
    : chainNext[chain.state]

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
