import type { Order, OrderPayment } from '#contract/money/orders.ts'
import { formatMoment } from '../../kernel/i18n/format-moment.ts'
import type { PlainKey } from '../../kernel/i18n/message-key.ts'
import { useMessages, type UsedMessages } from '../../kernel/i18n/messages.tsx'
import { ButtonLink } from '../../kernel/ui/button.tsx'
import { PagePart } from '../../kernel/ui/page-head.tsx'
import styles from '../chain/chain.module.css'
import { formatDecimal } from '../../kernel/i18n/format-decimal.ts'
import { pathToNewOrder } from '../../kernel/routes/path-to-new-order.ts'

type Now = { title: string; texts: readonly string[]; state?: 'paid' | 'confirming' | 'late' }
type Props = { order: Order; payment: OrderPayment }

/** What happens next with an order, and when. Used if the next step doesn't depend on the chain. */
export function OrderNow({ order, payment }: Props) {
  const messages = useMessages()
  const { t } = messages
  const { title, texts, state } = describeNow(messages, { order, payment })
  return (
    <div className={styles.onScreen}>
      <PagePart id="order-now" heading={t('orders.now.heading')}>
        <div className={styles.now} role="status" data-state={state}>
          <p className={styles.title}>{title}</p>
          {texts.map((text) => (
            <p key={text}>{text}</p>
          ))}
        </div>
        {order.status === 'cancelled' && (
          <p className={styles.action}>
            <ButtonLink kind="quiet" href={pathToNewOrder()}>
              {t('orders.now.again')}
            </ButtonLink>
          </p>
        )}
      </PagePart>
    </div>
  )
}

function describeNow(messages: UsedMessages, { order, payment }: Props): Now {
  const { t } = messages
  if (order.disputed) return { title: t('orders.now.verifying'), texts: [t('orders.report.disputed')] }
  if (payment.isBeingWithdrawn)
    return { title: t('orders.now.withdrawn'), texts: [t('orders.now.withdrawn.text')] }
  if (order.status === 'completed') return completed(messages, order)
  if (order.status === 'cancelled') return cancelled(messages, { order, payment })
  if (payment.hasRecordedPayment)
    return {
      title: t('orders.recorded.heading'),
      texts: [t('orders.recorded'), t('orders.now.recorded')],
      state: 'confirming',
    }
  if (order.reportedLate)
    return { title: t('orders.now.verifying'), texts: [t('orders.report.late')], state: 'late' }
  if (order.txId !== '')
    return { title: t('orders.now.verifying'), texts: [t('orders.now.verifying.text')], state: 'confirming' }
  return toPay(messages, payment)
}

function completed({ t, language }: UsedMessages, { fabAddress, exactFabQty }: Order): Now {
  const title = t('orders.now.completed')
  if (fabAddress === '') return { title, texts: [t('orders.now.completed.withoutAddress')], state: 'paid' }
  const text =
    exactFabQty === null
      ? t('orders.now.completed.text')
      : t('orders.now.completed.quantity', { quantity: formatDecimal(exactFabQty, language) })
  return { title, texts: [text], state: 'paid' }
}

function cancelled({ t }: UsedMessages, { order, payment }: Props): Now {
  const isMoneyKnown = order.reportedLate || payment.hasRecordedPayment
  const text: PlainKey = isMoneyKnown ? 'orders.now.cancelled.paid' : 'orders.now.cancelled.text'
  return { title: t('orders.now.cancelled'), texts: [t(text)] }
}

function toPay({ t, language }: UsedMessages, payment: OrderPayment): Now {
  const { amount, currency, payBefore, receivingAddress } = payment
  const time = payBefore === null ? '' : formatMoment(payBefore, language)
  if (receivingAddress !== '') {
    const due = amount === null ? null : `${formatDecimal(amount, language)} ${currency}`
    return {
      title: due === null ? t('orders.pay.heading') : t('orders.now.pay', { amount: due }),
      texts: [t('orders.now.pay.text'), ...(payBefore === null ? [] : [t('orders.pay.deadline', { time })])],
    }
  }
  if (payBefore === null) return { title: t('orders.now.unpayable'), texts: [t('orders.pay.none')] }
  if (Date.parse(payBefore) <= Date.now())
    return { title: t('orders.now.overdue'), texts: [t('orders.now.overdue.text', { time })], state: 'late' }
  return {
    title: t('orders.now.agreed'),
    texts: [t('orders.pay.agreed'), t('orders.pay.deadline', { time })],
  }
}
