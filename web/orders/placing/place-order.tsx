import { useState } from 'react'
import { createQuote, getSale, type Quote, type Sale } from '#contract/sale.ts'
import { MINUTE } from '#contract/durations.ts'
import { call } from '../../call/call.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { LoadFailed } from '../../actions/load-failed.tsx'
import { useLoaded } from '../../actions/use-loaded.ts'
import type { Member } from '../../session/session.ts'
import { BackLink } from '../../ui/back-link.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Loading } from '../../ui/loading.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { pathToOrders } from '../order-address.ts'
import { newKey, orderDraft, type OrderDraft } from './order-draft.ts'
import { QuoteForm, type Wanted } from './quote-form.tsx'
import { QuoteOffer } from './quote-offer.tsx'
import { listKycOfMember } from '#contract/kyc.ts'
import { useBrand } from '../../content/brand.tsx'
import { pathTo } from '../../routes/routes.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Message } from '../../ui/form-status.tsx'

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
  if (isClosed(sale))
    return (
      <>
        <Empty title={t('orders.place.closed')}>
          <SaleClosed sale={sale} />
        </Empty>
        {identity}
      </>
    )
  if (identity) return identity
  return <QuoteForm sale={sale} before={wanted} onAsk={(next) => ask(next, sale)} />
}

const wantedOf = ({ payMethod, amount }: Quote, fabAddress: string): Wanted => ({
  payMethod,
  amount,
  fabAddress,
})

export const isClosed = ({ isOpen, payMethods }: Sale): boolean => !isOpen || payMethods.length === 0

const isAhead = (at: string | null): at is string => at !== null && Date.parse(at) > Date.now()
const isPast = (at: string | null): at is string => at !== null && Date.parse(at) <= Date.now()

/** Says that the sale is closed, and when it opens if that is known. */
export function SaleClosed({ sale: { opensAt, closesAt } }: { sale: Sale }) {
  const { t, formatMoment } = useMessages()
  if (isAhead(opensAt)) return <p>{t('orders.place.opensAt', { time: formatMoment(opensAt) })}</p>
  if (isPast(closesAt)) return <p>{t('orders.place.closedAt', { time: formatMoment(closesAt) })}</p>
  return <p>{t('orders.place.closedText')}</p>
}

/** Why a member cannot order yet, and where to go. After a final rejection there is nowhere to go. */
export function IdentityNeeded({ member }: { member: Pick<Member, 'id' | 'kyc'> }) {
  const { t } = useMessages()
  const { email } = useBrand()
  const loaded = useLoaded(`${member.id} ${member.kyc}`, async () =>
    member.kyc === 'none' ? [] : call(listKycOfMember, { body: { memberId: member.id } }),
  )
  if (loaded.state === 'loading') return <Loading label={t('forms.loading')} />
  if (loaded.state === 'failed')
    return <LoadFailed title={t('orders.place.loadFailed')} failure={loaded.failure} retry={loaded.retry} />
  if (loaded.data.some(({ isFinal }) => isFinal))
    return (
      <Message kind="note">
        <p>{t('orders.place.identityFinal', { email })}</p>
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
