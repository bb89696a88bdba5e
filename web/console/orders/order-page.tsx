import { getConsoleOrder, type ConsoleOrderDetail } from '#contract/console-orders.ts'
import { LoadFailed } from '../../actions/load-failed.tsx'
import { useLoaded } from '../../actions/use-loaded.ts'
import { call } from '../../call/call.ts'
import { useWords } from '../../i18n/words.tsx'
import { page, type PageProps } from '../../routes/page.ts'
import { pathTo } from '../../routes/routes.ts'
import { useSession, type Member } from '../../session/session.ts'
import { Loading } from '../../ui/loading.tsx'
import { PageHead, PagePart } from '../../ui/page-head.tsx'
import { Timeline } from '../timeline/timeline.tsx'
import { Flags, OrderState } from './orders-list.tsx'
import styles from './orders.module.css'
import { OrderActions } from './page/order-actions.tsx'
import { AddressFacts, OrderedFacts, PaymentFacts } from './page/order-facts.tsx'
import { OrderNotes } from './page/order-notes.tsx'
import { useHappened } from './page/use-happened.tsx'

function OrderView({ params: { id = '' } }: PageProps<unknown>) {
  const { t } = useWords()
  const { member } = useSession()
  if (!member) return <PageHead heading={t('consoleOrders.title')} />
  return <LoadedOrder key={id} id={id} member={member} />
}

function LoadedOrder({ id, member }: { id: string; member: Member }) {
  const { t } = useWords()
  const loaded = useLoaded(id, () => call(getConsoleOrder, { params: { id } }))
  if (loaded.state === 'ready')
    return <Shown detail={loaded.data} member={member} onChanged={loaded.reload} onNow={loaded.setData} />
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
          wayOn={<a href={pathTo('console.orders')}>{t('consoleOrders.back')}</a>}
        />
      )}
    </>
  )
}

type ShownProps = {
  detail: ConsoleOrderDetail
  member: Member
  onChanged: () => void
  onNow: (detail: ConsoleOrderDetail) => void
}

function Shown({ detail, member, onChanged, onNow }: ShownProps) {
  const { t } = useWords()
  const { order } = detail
  const happened = useHappened(detail)
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
      <OrderActions detail={detail} member={member} onChanged={onChanged} onNow={onNow} />
      <div className={styles.columns}>
        <div>
          <PagePart heading={t('consoleOrders.facts.payment')} id="payment">
            <PaymentFacts detail={detail} />
          </PagePart>
          <PagePart heading={t('consoleOrders.facts.order')} id="ordered">
            <OrderedFacts detail={detail} />
          </PagePart>
          <PagePart heading={t('consoleOrders.facts.addresses')} id="addresses">
            <AddressFacts detail={detail} />
          </PagePart>
        </div>
        <PagePart heading={t('consoleOrders.history')} id="history">
          <Timeline happened={happened} />
        </PagePart>
      </div>
    </>
  )
}

export default page({ View: OrderView })
