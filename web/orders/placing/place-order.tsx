import { useEffect, useState, type ReactNode } from 'react'
import type { DisplayRate } from '#contract/money/display-rates.ts'
import { createQuote, getSale, type Quote, type Sale } from '#contract/money/sale.ts'
import { MINUTE, SECOND } from '#contract/platform/durations.ts'
import { newKey } from '../../kernel/call/new-key.ts'
import { call, CallFailed } from '../../kernel/call/call.ts'
import { FormattedMessage, useMessages } from '../../kernel/i18n/messages.tsx'
import { parseDecimal, writeDecimal } from '#contract/platform/decimal.ts'
import { contactTag } from '../../conversations/contact-tag.tsx'
import { PlannedDeliveries } from '../../kernel/rounds/planned-deliveries.tsx'
import { LoadFailed } from '../../kernel/actions/load-failed.tsx'
import { useLoaded } from '../../kernel/actions/use-loaded.ts'
import type { Member } from '../../kernel/session/session.ts'
import { BackLink } from '../../kernel/ui/back-link.tsx'
import { Empty } from '../../kernel/ui/empty.tsx'
import { Loading } from '../../kernel/ui/loading.tsx'
import { PageHead } from '../../kernel/ui/page-head.tsx'
import { Approximately, CurrencyChoice } from '../approximate.tsx'
import { pathToOrder, pathToOrders } from '../order-address.ts'
import { describeClosedSale } from './closed-sale.ts'
import { findSpent, NotAdmitted, RoundNotice } from './round-notice.tsx'
import { QuoteForm, type Wanted } from './quote-form.tsx'
import { listKycOfMember } from '#contract/people/kyc.ts'
import { createOrder } from '#contract/money/orders.ts'
import { useAction } from '../../kernel/actions/use-action.ts'
import { navigate } from '../../kernel/navigation/navigate.ts'
import { showNotice } from '../../kernel/notices/notices.ts'
import { pathTo } from '../../kernel/routes/routes.ts'
import { draftStore, type DraftStore } from '../../kernel/state/draft-store.ts'
import { Button, ButtonLink } from '../../kernel/ui/button.tsx'
import { Facts } from '../../kernel/ui/description-list.tsx'
import { FormStatus, Message } from '../../kernel/ui/form-status.tsx'
import { formatDecimal } from '../../kernel/i18n/format-decimal.ts'
import styles from './placing.module.css'

/** The steps from a payment method and an amount to a quote, and from the quote to an order. */
export function PlaceOrder({ member }: { member: Member }) {
  const { t } = useMessages()
  return (
    <>
      <BackLink href={pathToOrders()}>{t('orders.back')}</BackLink>
      <PageHead heading={t('orders.place.heading')} lead={t('orders.place.lead')} />
      <Placing member={member} />
    </>
  )
}

/**
 * A completed form that will become an order. Its idempotency key survives reloads and lost connections, so that it
 * becomes at most one order. Every completed form gets a key of its own.
 */
export type OrderDraft = {
  key: string
  quote: Quote
  /** By this device's clock, which may be hours off, so it is compared only with itself. */
  expiresAt: number
  fabAddress: string
  /** The request was sent but the response was lost; it may have been executed. */
  isSent: boolean
}

export const orderDraft = (memberId: string): DraftStore<OrderDraft> => draftStore(memberId, 'order')

function Placing({ member }: { member: Member }) {
  const { t } = useMessages()
  const [draft, setDraft] = useState(() => orderDraft(member.id).read())
  const [wanted, setWanted] = useState<Wanted>()
  const loaded = useLoaded('sale', () => call(getSale, {}))

  function keep(next: OrderDraft | null) {
    orderDraft(member.id).write(next)
    setDraft(next)
  }
  async function ask(next: Wanted, sale: Sale) {
    setWanted(next)
    const quote = await call(createQuote, { body: { payMethod: next.payMethod, amount: next.amount } })
    keep({
      key: newKey(),
      quote,
      expiresAt: Date.now() + sale.quoteMinutes * MINUTE,
      fabAddress: next.fabAddress,
      isSent: false,
    })
  }

  if (loaded.state === 'loading') return <Loading label={t('forms.loading')} />
  if (loaded.state === 'failed')
    return <LoadFailed title={t('orders.place.loadFailed')} failure={loaded.failure} retry={loaded.retry} />
  const sale = loaded.data
  // An order that may have been placed is looked up even if the sale has closed.
  if (draft && (draft.isSent || !isClosed(sale)))
    return (
      <QuoteOffer
        draft={draft}
        email={member.email}
        payHours={sale.payHours}
        rates={sale.displayRates}
        onChange={keep}
        onPlaced={() => orderDraft(member.id).write(null)}
        onBack={() => {
          setWanted(wantedOf(draft.quote, draft.fabAddress))
          keep(null)
        }}
        onRenew={() => ask(wantedOf(draft.quote, draft.fabAddress), sale)}
      />
    )
  const identity = member.kyc !== 'approved' && <IdentityNeeded member={member} />
  if (isClosed(sale)) return <ClosedSale sale={sale}>{identity}</ClosedSale>
  return (
    <>
      <RoundNotice sale={sale} />
      {identity || <FormOrReason sale={sale} before={wanted} onAsk={(next) => ask(next, sale)} />}
    </>
  )
}

/** The form, or why the member can't order now. */
function FormOrReason(props: Parameters<typeof QuoteForm>[0]) {
  const { t } = useMessages()
  if (!props.sale.isAdmitted) return <NotAdmitted sale={props.sale} />
  const spent = findSpent(props.sale)
  if (!spent) return <QuoteForm {...props} />
  return (
    <Message kind="note">
      {t(spent === 'round' ? 'orders.round.soldOut' : 'orders.round.memberLimit')}
    </Message>
  )
}

function ClosedSale({ sale, children }: { sale: Sale; children: ReactNode }) {
  const messages = useMessages()
  return (
    <>
      <Empty title={messages.t('orders.place.closed')}>
        <p>{describeClosedSale(messages, sale)}</p>
      </Empty>
      <RoundNotice sale={sale} />
      {children}
    </>
  )
}

const wantedOf = ({ payMethod, amount }: Quote, fabAddress: string): Wanted => ({
  payMethod,
  amount,
  fabAddress,
})

const isClosed = ({ isOpen, payMethods }: Sale): boolean => !isOpen || payMethods.length === 0

/** Why a member cannot order yet, and where to go. After a final rejection, they can only write to the team. */
export function IdentityNeeded({ member }: { member: Pick<Member, 'id' | 'kyc'> }) {
  const { t } = useMessages()
  const loaded = useLoaded(`${member.id} ${member.kyc}`, async () =>
    member.kyc === 'none' ? [] : call(listKycOfMember, { body: { memberId: member.id } }),
  )
  if (loaded.state === 'loading') return <Loading label={t('forms.loading')} />
  if (loaded.state === 'failed')
    return <LoadFailed title={t('orders.place.loadFailed')} failure={loaded.failure} retry={loaded.retry} />
  const rejected = loaded.data.find(({ isFinal }) => isFinal)
  if (rejected)
    return (
      <Message kind="note">
        <p>
          <FormattedMessage
            k="orders.place.identityFinal"
            tags={contactTag({ about: 'identity', of: rejected._id })}
          />
        </p>
      </Message>
    )
  const isInReview = member.kyc === 'submitted' || member.kyc === 'in_review'
  return (
    <Message kind="note">
      <p>{t(isInReview ? 'orders.place.identityInReview' : 'orders.place.identityNeeded')}</p>
      <ButtonLink kind={isInReview ? 'quiet' : 'primary'} href={pathTo('kyc')}>
        {t('orders.place.toIdentity')}
      </ButtonLink>
    </Message>
  )
}

/** Whether the server rejected the order, as opposed to a response that may have been lost. */
const isRefused = (failure: unknown): boolean =>
  failure instanceof CallFailed && failure.status >= 400 && failure.status < 500

type Props = {
  draft: OrderDraft
  email: string
  payHours: number
  rates: readonly DisplayRate[]
  onChange: (draft: OrderDraft) => void
  onPlaced: () => void
  onBack: () => void
  onRenew: () => Promise<void>
}

/** The quoted price, and the button to order at it. Sending again after a lost response places no second order. */
export function QuoteOffer({ draft, email, payHours, rates, onChange, onPlaced, onBack, onRenew }: Props) {
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
      <Terms draft={draft} rates={rates} />
      <p className={styles.small}>{t('orders.quote.rounding')}</p>
      <CurrencyChoice rates={rates} />
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
function Terms({ draft: { quote, fabAddress }, rates }: Pick<Props, 'draft' | 'rates'>) {
  const { t, language } = useMessages()
  const { currency, roundName, bonusPercent } = quote
  const rate = t('orders.rate.value', { method: currency, rate: formatDecimal(quote.baseRate, language) })
  const bonus =
    Number(bonusPercent) > 0 &&
    t('orders.quote.bonus.value', {
      percent: formatDecimal(bonusPercent, language),
      quantity: formatDecimal(bonusOf(quote), language),
    })
  return (
    <>
      <dl className={styles.price}>
        <div>
          <dt>{t('orders.quote.pay')}</dt>
          <dd>
            {formatDecimal(quote.amount, language)} <span>{quote.currency}</span>
            <Approximately amount={quote.amount} unit={quote.currency} rates={rates} />
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
          ...(roundName
            ? [{ name: 'round', label: t('orders.quote.round'), value: roundName[language] }]
            : []),
          { name: 'rate', label: t('orders.rate'), value: rate },
          ...(bonus ? [{ name: 'bonus', label: t('orders.quote.bonus'), value: bonus }] : []),
          ...(fabAddress ? [{ name: 'fabAddress', label: t('orders.fabAddress'), value: fabAddress }] : []),
        ]}
      />
      {quote.deliveries.length > 1 && (
        <PlannedDeliveries heading={t('orders.quote.deliveries')} parts={quote.deliveries} />
      )}
    </>
  )
}

/** The tokens that the bonus adds. */
const bonusOf = ({ fabQty, baseQty }: Quote): string =>
  writeDecimal(parseDecimal(fabQty) - parseDecimal(baseQty))

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
