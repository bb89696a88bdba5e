import { useState } from 'react'
import type { ConsoleOrderDetail } from '#contract/console-orders.ts'
import { LoadFailed } from '../../actions/load-failed.tsx'
import { useLoaded } from '../../actions/use-loaded.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { page, type PageProps } from '../../routes/page.ts'
import { pathTo } from '../../routes/routes.ts'
import { useSession, type Member } from '../../session/session.ts'
import { Loading } from '../../ui/loading.tsx'
import { PageHead, PagePart } from '../../ui/page-head.tsx'
import { Timeline } from '../detail/timeline.tsx'
import { Flags, OrderState } from './orders-list.tsx'
import styles from './orders.module.css'
import { ChainEvidence } from './page/chain-evidence.tsx'
import { canAct, OrderActions, type RequestedAction } from './page/order-actions.tsx'
import { AddressFacts, OrderedFacts, PaymentFacts } from './page/order-facts.tsx'
import { WithdrawalPart } from './withdrawals/withdrawal-part.tsx'
import { OrderNotes } from './page/order-notes.tsx'
import { loadWithEvidence, useEvidence, type ShownOrder } from './page/use-evidence.ts'
import { useTimeline } from './page/use-timeline.tsx'

function OrderView({ params: { id = '' } }: PageProps<unknown>) {
  const { t } = useMessages()
  const { member } = useSession()
  if (!member) return <PageHead heading={t('consoleOrders.title')} />
  return <LoadedOrder key={id} id={id} member={member} />
}

function LoadedOrder({ id, member }: { id: string; member: Member }) {
  const { t } = useMessages()
  const loaded = useLoaded(id, () => loadWithEvidence(id))
  const shown = loaded.state === 'ready' ? loaded.data : undefined
  useEvidence(shown, (chain) => {
    if (loaded.state === 'ready') loaded.setData({ ...loaded.data, chain })
  })
  if (loaded.state === 'ready')
    return (
      <LoadedOrderView
        shown={loaded.data}
        member={member}
        onChanged={loaded.reload}
        onNow={(detail) => loaded.setData({ ...loaded.data, detail })}
      />
    )
  return (
    <>
      <PageHead heading={t('consoleOrders.title')} />
      {loaded.state === 'loading' ? (
        <Loading label={t('forms.loading')} />
      ) : (
        <LoadFailed
          title={t('consoleOrders.loadFailed')}
          failure={loaded.failure}
          retry={loaded.retry}
          alternative={<a href={pathTo('console.orders')}>{t('consoleOrders.back')}</a>}
        />
      )}
    </>
  )
}

type ShownProps = {
  shown: ShownOrder
  member: Member
  onChanged: () => void
  onNow: (detail: ConsoleOrderDetail) => void
}

function LoadedOrderView({ shown: { detail, chain = null }, member, onChanged, onNow }: ShownProps) {
  const { t } = useMessages()
  const { order } = detail
  // The dialog keeps its initial state while the page behind it updates.
  const [requested, setRequested] = useState<RequestedAction>()
  const ask = (name: string) => setRequested({ name, detail, chain })
  const canComplete = canAct({ detail, chain, member }, 'complete')
  const events = useTimeline(detail)
  return (
    <>
      <p>
        <a href={pathTo('console.orders')}>{t('consoleOrders.back')}</a>
      </p>
      <PageHead heading={t('consoleOrders.one', { reference: order.reference })} />
      <div className={styles.state}>
        <OrderState status={order.status} />
        {detail.flags.length > 0 && <Flags flags={detail.flags} />}
      </div>
      <OrderNotes detail={detail} member={member} />
      <OrderActions
        detail={detail}
        chain={chain}
        member={member}
        requested={requested}
        onAsk={ask}
        onClose={() => setRequested(undefined)}
        onChanged={onChanged}
        onNow={onNow}
      />
      <WithdrawalPart orderId={detail.id} version={order.updatedAt} member={member} onChanged={onChanged} />
      <div className={styles.columns}>
        <div>
          <PagePart heading={t('consoleOrders.facts.payment')} id="payment">
            <PaymentFacts detail={detail} />
          </PagePart>
          {chain && (
            <ChainEvidence chain={chain} {...(canComplete && { onComplete: () => ask('complete') })} />
          )}
          <PagePart heading={t('consoleOrders.facts.order')} id="ordered">
            <OrderedFacts detail={detail} />
          </PagePart>
          <PagePart heading={t('consoleOrders.facts.addresses')} id="addresses">
            <AddressFacts detail={detail} />
          </PagePart>
        </div>
        <PagePart heading={t('consoleOrders.history')} id="history">
          <Timeline events={events} />
        </PagePart>
      </div>
    </>
  )
}

export default page({ View: OrderView })
