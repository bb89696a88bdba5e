import { useEffect, useState } from 'react'
import { SECOND } from '#contract/durations.ts'
import { createOrder } from '#contract/orders.ts'
import { call, CallFailed } from '../../call/call.ts'
import { useAction } from '../../actions/use-action.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { showNotice } from '../../notices/notices.ts'
import { navigate } from '../../navigation/navigate.ts'
import { Button } from '../../ui/button.tsx'
import { Facts } from '../../ui/description-list.tsx'
import { FormStatus, Message } from '../../ui/form-status.tsx'
import { formatDecimal } from '../format-decimal.ts'
import { pathToOrder } from '../order-address.ts'
import type { OrderDraft } from './order-draft.ts'
import styles from './placing.module.css'

/** Whether the server rejected the order, as opposed to a response that may have been lost. */
const isRefused = (failure: unknown): boolean =>
  failure instanceof CallFailed && failure.status >= 400 && failure.status < 500

type Props = {
  draft: OrderDraft
  email: string
  payHours: number
  onChange: (draft: OrderDraft) => void
  onPlaced: () => void
  onBack: () => void
  onRenew: () => Promise<void>
}

/** The quoted price, and the button to order at it. Sending again after a lost response places no second order. */
export function QuoteOffer({ draft, email, payHours, onChange, onPlaced, onBack, onRenew }: Props) {
  const { t } = useMessages()
  const { isBusy, error, run } = useAction()
  const secondsLeft = useSecondsUntil(draft.expiresAt)
  const { quote, isSent } = draft
  const isExpired = secondsLeft === 0 && !isSent

  async function placeOrder() {
    onChange({ ...draft, isSent: true })
    try {
      const { fabAddress } = draft
      const body = { quoteId: quote.quoteId, email, ...(fabAddress && { fabAddress }) }
      const order = await call(createOrder, { body, idempotencyKey: draft.key })
      onPlaced()
      await navigate(pathToOrder(order._id), { replace: true })
      showNotice(t('orders.quote.placed'), 'success')
    } catch (cause) {
      if (isRefused(cause)) onChange({ ...draft, isSent: false })
      throw cause
    }
  }
  return (
    <section className={styles.offer} aria-labelledby="quote">
      <h2 id="quote">{t('orders.quote.heading')}</h2>
      <Terms draft={draft} />
      <p className={styles.small}>{t('orders.quote.rounding')}</p>
      {isSent && !isBusy && (
        <Message kind="note" role="status">
          <p>{t('orders.quote.unsure')}</p>
        </Message>
      )}
      {!isSent && (
        <p className={styles.left} role="timer">
          {isExpired ? t('orders.quote.expired') : t('orders.quote.validFor', minutesAndSeconds(secondsLeft))}
        </p>
      )}
      <div className={styles.actions}>
        {isExpired ? (
          <Button busy={isBusy} busyLabel={t('orders.place.quoting')} onClick={() => void run(onRenew)}>
            {t('orders.quote.renew')}
          </Button>
        ) : (
          <Button busy={isBusy} busyLabel={t('orders.quote.busy')} onClick={() => void run(placeOrder)}>
            {t(isSent && !isBusy ? 'orders.quote.resend' : 'orders.quote.submit')}
          </Button>
        )}
        <Button kind="quiet" disabled={isBusy} onClick={onBack}>
          {t(isSent ? 'orders.quote.discard' : 'orders.quote.change')}
        </Button>
      </div>
      <FormStatus error={error} />
      <p className={styles.small}>{t('orders.quote.terms', { hours: payHours })}</p>
    </section>
  )
}

/** What the member pays and gets, at which rate, and where the tokens go. */
function Terms({ draft: { quote, fabAddress } }: { draft: OrderDraft }) {
  const { t, language } = useMessages()
  const rate = t('orders.rate.value', { method: quote.currency, rate: formatDecimal(quote.rate, language) })
  return (
    <>
      <dl className={styles.price}>
        <div>
          <dt>{t('orders.quote.pay')}</dt>
          <dd>
            {formatDecimal(quote.amount, language)} <span>{quote.currency}</span>
          </dd>
        </div>
        <div>
          <dt>{t('orders.quote.get')}</dt>
          <dd>
            {formatDecimal(quote.fabQty, language)} <span>{t('orders.ticker')}</span>
          </dd>
        </div>
      </dl>
      <Facts
        facts={[
          { name: 'rate', label: t('orders.rate'), value: rate },
          ...(fabAddress ? [{ name: 'fabAddress', label: t('orders.fabAddress'), value: fabAddress }] : []),
        ]}
      />
    </>
  )
}

const minutesAndSeconds = (seconds: number) => ({
  minutes: String(Math.floor(seconds / 60)),
  seconds: String(seconds % 60).padStart(2, '0'),
})

/** Whole seconds, never negative. They are counted only while the page is visible. */
function useSecondsUntil(time: number): number {
  const secondsLeft = () => Math.max(0, Math.ceil((time - Date.now()) / SECOND))
  const [seconds, setSeconds] = useState(secondsLeft)
  useEffect(() => {
    setSeconds(secondsLeft())
    const timer = setInterval(() => setSeconds(secondsLeft()), SECOND)
    return () => clearInterval(timer)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `secondsLeft` reads only the time
  }, [time])
  return seconds
}
