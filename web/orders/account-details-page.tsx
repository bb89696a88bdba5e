import { pageSizeMax } from '#contract/fields.ts'
import { findOrders, type Order } from '#contract/orders.ts'
import { getSale } from '#contract/sale.ts'
import { call, callPage } from '../call/call.ts'
import { useMessages } from '../i18n/messages.tsx'
import { page, type PageProps } from '../routes/page.ts'
import { LoadFailed } from '../actions/load-failed.tsx'
import { useLoaded } from '../actions/use-loaded.ts'
import { useSession } from '../session/session.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Message } from '../ui/form-status.tsx'
import { Loading } from '../ui/loading.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { OrderDetail } from './detail/order-detail.tsx'
import { orderViewOf, pathToNewOrder } from './order-address.ts'
import { OrderList } from './order-list.tsx'
import { OrdersFile } from './orders-file.tsx'
import { PlaceOrder, isClosed, SaleClosed } from './placing/place-order.tsx'
import { UpgradeUser } from '../members/upgrade-user.tsx'

function AccountDetailsView({ search }: PageProps<unknown>) {
  const { t } = useMessages()
  const { member } = useSession()
  const view = orderViewOf(search)
  if (member && view.name === 'new') return <PlaceOrder member={member} />
  if (member && view.name === 'one') return <OrderDetail key={view.id} id={view.id} />
  return (
    <>
      <PageHead
        heading={t('orders.heading')}
        lead={t('orders.lead')}
        action={<ButtonLink href={pathToNewOrder()}>{t('orders.place')}</ButtonLink>}
      />
      {member && <SaleState />}
      {member && <Orders memberId={member.id} />}
      <UpgradeUser isAdministrator={member?.isWriteAccessAdmin === true} />
    </>
  )
}

/** Shown before anyone fills in a form. If it cannot be loaded, the orders are still shown. */
function SaleState() {
  const loaded = useLoaded('sale', () => call(getSale, {}))
  if (loaded.state !== 'ready' || !isClosed(loaded.data)) return null
  return (
    <Message kind="note">
      <SaleClosed sale={loaded.data} />
    </Message>
  )
}

function Orders({ memberId }: { memberId: string }) {
  const { t } = useMessages()
  const loaded = useLoaded(memberId, () => findAllOrders(memberId))
  if (loaded.state === 'loading') return <Loading label={t('forms.loading')} />
  if (loaded.state === 'failed')
    return <LoadFailed title={t('orders.loadFailed')} failure={loaded.failure} retry={loaded.retry} />
  return (
    <>
      <OrderList orders={loaded.data} />
      {loaded.data.length > 0 && <OrdersFile orders={loaded.data} />}
    </>
  )
}

/** Loads every page of the list, because the total covers all orders. */
async function findAllOrders(memberId: string): Promise<Order[]> {
  const orders: Order[] = []
  let after: string | undefined
  do {
    const query = { limit: pageSizeMax, ...(after !== undefined && { after }) }
    const found = await callPage(findOrders, { query, body: { memberId } })
    orders.push(...found.rows)
    after = found.next
  } while (after !== undefined)
  return orders
}

export default page({ View: AccountDetailsView })
