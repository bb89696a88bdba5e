import { pageSizeMax } from '#contract/fields.ts'
import { findOrders, type Order } from '#contract/orders.ts'
import { callPage } from '../call.ts'
import { useWords } from '../i18n/words.tsx'
import { page } from '../layout/page.ts'
import { LoadFailed } from '../loaded/load-failed.tsx'
import { useLoaded } from '../loaded/use-loaded.ts'
import { useSession } from '../session.ts'
import { Loading } from '../ui/loading.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { OrderList } from './order-list.tsx'
import { UpgradeUser } from './upgrade-user.tsx'

function AccountDetailsView() {
  const { t } = useWords()
  const { member } = useSession()
  return (
    <>
      <PageHead heading={t('orders.heading')} lead={t('orders.lead')} />
      {member && <Orders memberId={member.id} />}
      <UpgradeUser isAdministrator={member?.isWriteAccessAdmin === true} />
    </>
  )
}

function Orders({ memberId }: { memberId: string }) {
  const { t } = useWords()
  const loaded = useLoaded(memberId, () => findAllOrders(memberId))
  if (loaded.state === 'loading') return <Loading label={t('forms.loading')} />
  if (loaded.state === 'ready') return <OrderList orders={loaded.data} />
  return <LoadFailed title={t('orders.loadFailed')} failure={loaded.failure} retry={loaded.retry} />
}

/** Every page of them, because the total counts all. */
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
