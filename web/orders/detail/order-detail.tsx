import styles from './order-detail.module.css'
import { useState, type ReactNode, useEffect } from 'react'
import type { ChainPayment } from '#contract/money/chain-payments.ts'
import { type Order, type OrderPayment, cancelOrder, setTokenAddress } from '#contract/money/orders.ts'
import { useBrand } from '../../kernel/content/brand.tsx'
import type { PlainKey } from '../../kernel/i18n/message-key.ts'
import { formatMoment } from '../../kernel/i18n/format-moment.ts'
import { contactTag } from '../../conversations/contact-tag.tsx'
import { ConversationPart } from '../../conversations/conversation-part.tsx'
import { FormattedMessage, useMessages } from '../../kernel/i18n/messages.tsx'
import { LoadFailed } from '../../kernel/actions/load-failed.tsx'
import { useLoaded } from '../../kernel/actions/use-loaded.ts'
import { BackLink } from '../../kernel/ui/back-link.tsx'
import { Button, ButtonLink } from '../../kernel/ui/button.tsx'
import { useSession } from '../../kernel/session/session.ts'
import { Empty } from '../../kernel/ui/empty.tsx'
import { Message } from '../../kernel/ui/form-status.tsx'
import { Loading } from '../../kernel/ui/loading.tsx'
import { PageHead, PagePart } from '../../kernel/ui/page-head.tsx'
import { Approximately } from '../approximate.tsx'
import { pathToConsoleOrder, pathToOrders } from '../order-address.ts'
import { hasArrived } from '../chain/chain-figures.ts'
import { isDropped } from '../chain/chain-labels.ts'
import {
  isRefundAddressMissing,
  OrderWithdrawal,
  useWithdrawalRight,
} from '../withdrawal/order-withdrawal.tsx'
import { OrderDelivery } from '../delivery/order-delivery.tsx'
import { ChainPart } from './chain-part.tsx'
import { OrderNow } from './order-now.tsx'
import { OrderTimeline } from './order-timeline.tsx'
import { PaymentInstructions } from './payment-instructions.tsx'
import { ReportPayment } from './report-payment.tsx'
import { loadShownOrder, useFollowed, type Following } from './use-followed.ts'
import { SECOND } from '#contract/platform/durations.ts'
import { call, CallFailed } from '../../kernel/call/call.ts'
import { ConfirmDialog } from '../../kernel/forms/confirm-dialog.tsx'
import { showNotice } from '../../kernel/notices/notices.ts'
import { Address } from '../../kernel/ui/address.tsx'
import { Facts, type Fact } from '../../kernel/ui/description-list.tsx'
import { Tag } from '../../kernel/ui/tag.tsx'
import { formatDecimal } from '../../kernel/i18n/format-decimal.ts'
import { orderStates } from '../order-states.ts'
import * as z from 'zod/mini'
import { requiredAddressOn } from '../../kernel/forms/chain-address.ts'
import { FormFrame } from '../../kernel/forms/form-frame.tsx'
import { FormLongText } from '../../kernel/forms/long-text.tsx'
import { useContractForm } from '../../kernel/forms/use-contract-form.ts'
import { tokenAddressHelp } from '../placing/quote-form.tsx'

const every = 15 * SECOND

/** Reloads an open page at the order's deadline, because the receiving address must no longer be shown. */
function useDeadline(order: Order | undefined, onDeadline: () => void): void {
  const isWaiting = order?.status === 'pending' && order.txId === '' && !order.disputed
  const payBefore = isWaiting ? order.payBefore : null
  useEffect(() => {
    if (payBefore === null) return undefined
    const timer = setInterval(() => {
      if (Date.now() >= Date.parse(payBefore)) onDeadline()
    }, every)
    return () => clearInterval(timer)
  }, [payBefore, onDeadline])
}

const loadNothing = () => {}

/** An order that doesn't exist is reported as forbidden, like another member's. Trying again wouldn't help. */
function OrderNotShown({ failure, retry }: { failure: unknown; retry: () => void }) {
  const { t } = useMessages()
  const isMissing = failure instanceof CallFailed && ['forbidden', 'not_found'].includes(failure.code)
  if (!isMissing) return <LoadFailed title={t('orders.detail.loadFailed')} failure={failure} retry={retry} />
  return (
    <Empty role="alert" title={t('orders.detail.notFound')}>
      <p>{t('orders.detail.notFound.help')}</p>
    </Empty>
  )
}

/** One order: its details, how to pay while it is pending, its history, and its receipt once it is completed. */
export function OrderDetail({ id }: { id: string }) {
  const { t } = useMessages()
  const { member } = useSession()
  const [hasReported, setHasReported] = useState(false)
  const loaded = useLoaded(id, () => loadShownOrder(id))
  const isReady = loaded.state === 'ready'
  // A recorded payment ends the deadline.
  const waiting = isReady && !loaded.data.payment.hasRecordedPayment ? loaded.data.order : undefined
  useDeadline(waiting, isReady ? loaded.reload : loadNothing)
  const isOwn = isReady && loaded.data.order.memberId === member?.id
  const following = useFollowed(isOwn ? loaded.data : undefined, isReady ? loaded.setData : loadNothing)
  const back = <BackLink href={pathToOrders()}>{t('orders.back')}</BackLink>
  if (loaded.state === 'loading') return <Loading label={t('forms.loading')} />
  if (loaded.state === 'failed')
    return (
      <>
        {back}
        <PageHead heading={t('orders.one')} />
        <OrderNotShown failure={loaded.failure} retry={loaded.retry} />
      </>
    )
  const { order, payment, chain = null } = loaded.data
  if (!isOwn) return <ForStaff order={order} payment={payment} back={back} />
  return (
    <div className={styles.order}>
      {back}
      <OwnOrder
        order={order}
        payment={payment}
        chain={chain}
        following={following}
        hasReported={hasReported}
        onReported={() => {
          setHasReported(true)
          loaded.reload()
        }}
        reload={loaded.reload}
      />
    </div>
  )
}

type OwnOrderProps = {
  order: Order
  payment: OrderPayment
  chain: ChainPayment | null
  following: Following
  /** Whether a payment was reported on this page. */
  hasReported: boolean
  onReported: () => void
  reload: () => void
}

const completedAtOf = ({ steps }: OrderPayment): string | null =>
  steps.findLast(({ kind }) => kind === 'completed')?.at ?? null

function OwnOrder(props: OwnOrderProps) {
  const { order, payment, chain, reload } = props
  const { t } = useMessages()
  const [isWritten, setWritten] = useState(false)
  const right = useWithdrawalRight(order)
  const isCompleted = order.status === 'completed'
  const isArriving = chain !== null && hasArrived(chain)
  const canCancel = payment.canWithdraw && !isArriving
  const cancel = canCancel && <CancelOrder order={order} onCancelled={reload} />
  const isOfferedAbove = chain !== null && isDropped(chain, order)
  const asksForRefundAddress = right.state === 'ready' && isRefundAddressMissing(right.data)
  const withdrawal = (
    <OrderWithdrawal
      order={order}
      loaded={right}
      asksForAddress={asksForRefundAddress}
      // An empty element says that the order can be canceled, although the button is further up.
      cancel={canCancel && isOfferedAbove ? <></> : cancel}
      onChanged={reload}
    />
  )
  return (
    <>
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
      {isWritten && <WrittenNote />}
      {isAddressMissing(props) && <SetTokenAddress order={order} onGiven={reload} />}
      {asksForRefundAddress && withdrawal}
      <NextStep {...props} ifDropped={<IfDropped cancel={cancel} />} />
      <OrderDelivery order={order} completedAt={completedAtOf(payment)} onChanged={reload} />
      <Paying {...props} />
      <div className={styles.facts}>
        <OrderFacts order={order} payment={payment} isArriving={isArriving} />
      </div>
      <Steps payment={payment} chain={chain} />
      {!asksForRefundAddress && withdrawal}
      <ConversationPart memberId={order.memberId} about="order" of={order._id} onWaiting={setWritten} />
    </>
  )
}

const isAddressMissing = ({ order, payment }: OwnOrderProps): boolean =>
  order.fabAddress === '' && order.status !== 'cancelled' && !payment.isBeingWithdrawn

/** A note at the top that the last message about the order is from the team. */
function WrittenNote() {
  return (
    <div className={styles.elsewhere}>
      <Message kind="note">
        <p>
          <FormattedMessage k="orders.now.messages" tags={contactTag('here')} />
        </p>
      </Message>
    </div>
  )
}

/** What happens next, and the payment's state on the chain. */
function NextStep({ ifDropped, ...props }: OwnOrderProps & { ifDropped: ReactNode }) {
  const { order, payment, chain, following } = props
  const isOnChain = chain !== null && isDecidedByChain(chain, props)
  const isShown = chain !== null && (order.status !== 'completed' || chain.transactions.length > 0)
  return (
    <>
      {!isOnChain && <OrderNow order={order} payment={payment} />}
      {/* The chain says nothing about a completed order that was paid in another way. */}
      {isShown && (
        <ChainPart
          chain={chain}
          order={order}
          following={following}
          isNext={isOnChain}
          ifDropped={ifDropped}
        />
      )}
    </>
  )
}

/** Whether the chain decides what happens next, rather than a person, a withdrawal, or the end of the order. */
function isDecidedByChain({ state }: ChainPayment, { order, payment }: OwnOrderProps): boolean {
  if (order.disputed || payment.isBeingWithdrawn || payment.hasRecordedPayment) return false
  if (order.status === 'pending') return !(order.reportedLate && state === 'awaited')
  return order.status === 'cancelled' && state !== 'awaited'
}

/** The two options after the network has dropped a payment: pay again, or cancel. */
function IfDropped({ cancel }: { cancel: ReactNode }) {
  const { t } = useMessages()
  return (
    <div className={styles.choice}>
      <ButtonLink href="#how-to-pay">{t('orders.now.payAgain')}</ButtonLink>
      {cancel}
    </div>
  )
}

/** How to pay the order, and the form to report a payment. */
function Paying(props: OwnOrderProps) {
  const { order, payment, chain } = props
  return (
    <>
      {order.status === 'pending' && (
        <PaymentInstructions payment={payment} chain={chain} isDisputed={order.disputed} />
      )}
      {isReportable(props) && <Report {...props} />}
    </>
  )
}

function isReportable({ order, payment, chain }: OwnOrderProps): boolean {
  if (order.status === 'completed') return false
  if (order.status === 'cancelled' && payment.hasRecordedPayment) return false
  if (chain === null || order.disputed) return true
  // A payment to the order's own address belongs to the order, whoever reported it.
  return !(hasArrived(chain) && chain.isOwnAddress && !chain.isStale)
}

/** The report form, collapsed if the chain makes a report unnecessary. */
function Report({ order, payment, chain, hasReported, onReported, reload }: OwnOrderProps) {
  const { t } = useMessages()
  const isCancelled = order.status === 'cancelled'
  const byHand = chain && order.status === 'pending' ? reportingByHand(chain, order) : undefined
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
        lead={leadOf(byHand, order, payment)}
        onReported={onReported}
        onDisputed={reload}
      />
    </>
  )
  if (byHand)
    return (
      <details className={styles.byHand} open={chain?.isStale === true || hasReported}>
        <summary>{t(byHand)}</summary>
        {report}
      </details>
    )
  return (
    <PagePart id="report-payment" heading={t(isCancelled ? 'orders.late.heading' : 'orders.report.heading')}>
      {report}
    </PagePart>
  )
}

/** Another member's order. Only its member can act here; staff act in the console. */
function ForStaff({ order, payment, back }: { order: Order; payment: OrderPayment; back: ReactNode }) {
  const { t } = useMessages()
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

/** Returns the label of the collapsed form if no report is needed, or undefined if one is. */
function reportingByHand(chain: ChainPayment, order: Order): PlainKey | undefined {
  if (order.disputed) return undefined
  if (chain.isOwnAddress) return 'chainPayment.byHand'
  return hasArrived(chain) && !order.reportedLate ? 'chainPayment.byHand.correct' : undefined
}

/** Returns the text above the report form, if it differs from what the order's status says. */
function leadOf(byHand: PlainKey | undefined, order: Order, payment: OrderPayment): PlainKey | undefined {
  if (byHand === 'chainPayment.byHand') return 'chainPayment.byHand.lead'
  const isPayable = payment.payBefore !== null || payment.receivingAddress !== ''
  const isReported = order.txId !== '' || order.reportedLate || order.disputed
  return order.status === 'pending' && !isPayable && !isReported ? 'orders.report.arranged' : undefined
}

function Steps({ payment, chain = null }: { payment: OrderPayment; chain?: ChainPayment | null }) {
  const { t } = useMessages()
  return (
    <PagePart id="order-steps" heading={t('orders.steps.heading')}>
      <OrderTimeline
        status={payment.status}
        steps={payment.steps}
        canPay={payment.payBefore !== null || payment.receivingAddress !== ''}
        isUnpaid={payment.canWithdraw}
        canPayRest={payment.hasRecordedPayment && payment.receivingAddress !== ''}
        chain={chain}
      />
    </PagePart>
  )
}

/** The issuer of the receipt, for print only. */
function ReceiptHead() {
  const { t } = useMessages()
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

/** Cancels an unpaid order. */
function CancelOrder({ order, onCancelled }: { order: Order; onCancelled: () => void }) {
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

/** The amount due, and its approximate value in the reader's currency. */
function Amount({ order, payment }: { order: Order; payment: OrderPayment }) {
  const { t, language } = useMessages()
  const { exactAmount, currency } = order
  return (
    <>
      {exactAmount === null ? t('orders.unknown') : `${formatDecimal(exactAmount, language)} ${currency}`}
      <Approximately amount={exactAmount} unit={currency} rates={payment.displayRates} isDated />
    </>
  )
}

/** The details of the order, on the screen and on the receipt. */
function OrderFacts({
  order,
  payment,
  isArriving = false,
}: {
  order: Order
  payment: OrderPayment
  /** Whether its payment is on its way, so that there is no deadline. */
  isArriving?: boolean
}) {
  const { t, language } = useMessages()
  const figure = (exact: string | null, unit: string) =>
    exact === null ? t('orders.unknown') : `${formatDecimal(exact, language)} ${unit}`.trim()
  const optional = (name: string, label: string, value: string, shown: ReactNode = value): Fact[] =>
    value === '' ? [] : [{ name, label, value: <span className={styles.code}>{shown}</span> }]
  const moment = (iso: string) => <time dateTime={iso}>{formatMoment(iso, language)}</time>
  const state = orderStates[order.status]
  const isUndue = order.status === 'pending' && (payment.hasRecordedPayment || isArriving)
  const facts: Fact[] = [
    { name: 'status', label: t('orders.status'), value: <Tag colour={state.colour}>{t(state.words)}</Tag> },
    ...optional('name', t('orders.name'), payment.name),
    {
      name: 'placedAt',
      label: t('orders.placedAt'),
      value: moment(order.createdAt),
    },
    ...(order.payBefore === null || order.status === 'cancelled' || order.disputed || isUndue
      ? []
      : [{ name: 'payBefore', label: t('orders.payBefore'), value: moment(order.payBefore) }]),
    { name: 'payMethod', label: t('orders.payMethod'), value: order.payMethod || t('orders.unknown') },
    { name: 'amount', label: t('orders.amount'), value: <Amount order={order} payment={payment} /> },
    // On the receipt, the amount due alone would look as if it was paid.
    ...(payment.receivedAmount === null
      ? []
      : [
          {
            name: 'receivedAmount',
            label: t('orders.receivedAmount'),
            value: figure(payment.receivedAmount, order.currency),
          },
        ]),
    { name: 'fabQty', label: t('orders.fabQty'), value: figure(order.exactFabQty, t('orders.ticker')) },
    ...(order.rate === null
      ? []
      : [
          {
            name: 'rate',
            label: t('orders.rate'),
            value: t('orders.rate.value', {
              method: order.currency,
              rate: formatDecimal(order.rate, language),
            }),
          },
        ]),
    ...optional('fabAddress', t('orders.fabAddress'), order.fabAddress),
    ...optional('email', t('orders.email'), order.email, <Address email={order.email} />),
    ...optional('txId', t('orders.txId'), order.txId),
  ]
  return <Facts facts={facts} />
}

const address = z.object({ fabAddress: requiredAddressOn('token') })

/** Asks for the token address of an order that has none. */
function SetTokenAddress({ order, onGiven }: { order: Order; onGiven: () => void }) {
  const { t, language } = useMessages()
  const addressForm = useContractForm({
    schema: address,
    labels: { fabAddress: 'orders.fabAddress' },
    defaultValues: { fabAddress: '' },
    submit: async (body) => {
      await call(setTokenAddress, { params: { id: order._id }, body })
      showNotice(t('orders.address.done'), 'success')
      onGiven()
    },
  })
  return (
    <div className={styles.onScreen}>
      <PagePart id="give-address" heading={t('orders.address.heading')}>
        <div className={styles.report}>
          <p>{t('orders.address.lead')}</p>
          <FormFrame
            of={addressForm}
            submitLabel={t('orders.address.submit')}
            busyLabel={t('orders.address.busy')}
            label={t('orders.address.heading')}
          >
            <FormLongText
              of={addressForm}
              name="fabAddress"
              help={tokenAddressHelp({ t, language }, order.status === 'completed')}
            />
          </FormFrame>
        </div>
      </PagePart>
    </div>
  )
}
