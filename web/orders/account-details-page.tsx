import { useEffect, useState } from 'react'
import { csvLine, csvStart } from '#contract/csv.ts'
import { pageSizeMax } from '#contract/fields.ts'
import { findOrders, type Order } from '#contract/orders.ts'
import { getSale } from '#contract/sale.ts'
import { call, callPage } from '../call/call.ts'
import { type UsedMessages, useMessages } from '../i18n/messages.tsx'
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
import { isListed, OrderList } from './order-list.tsx'
import { PlaceOrder, isClosed, SaleClosed } from './placing/place-order.tsx'
import { UpgradeUser } from '../members/upgrade-user.tsx'
import { orderStates } from './order-states.ts'

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

/**
 * A link to a CSV file of all orders. Its numbers match the rows of the list; orders without a row have no number.
 * Amounts are unformatted, so that programs can read them.
 */
function OrdersFile({ orders }: { orders: readonly Order[] }) {
  const { t } = useMessages()
  const [address, setAddress] = useState<string>()
  const text = csvOf(rowsOf(orders, t))
  useEffect(() => {
    const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }))
    setAddress(url)
    return () => URL.revokeObjectURL(url)
  }, [text])
  return (
    <ButtonLink kind="quiet" href={address} download={t('orders.csv.fileName')}>
      {t('orders.csv')}
    </ButtonLink>
  )
}

export function rowsOf(orders: readonly Order[], t: UsedMessages['t']): string[][] {
  const listed = orders.filter(isListed)
  const row = (order: Order, number: string): string[] => [
    number,
    order.reference,
    order.createdAt,
    order.payMethod,
    order.exactAmount ?? '',
    order.exactFabQty ?? '',
    t(orderStates[order.status].words),
    order.txId,
    order.currency,
  ]
  return [
    [
      t('orders.number'),
      t('orders.reference'),
      t('orders.placedAt'),
      t('orders.payMethod'),
      t('orders.amount'),
      t('orders.fabQty'),
      t('orders.status'),
      t('orders.txId'),
      t('orders.currency'),
    ],
    ...listed.map((order, index) => row(order, String(index + 1))),
    ...orders.filter((order) => !isListed(order)).map((order) => row(order, '')),
  ]
}

export const csvOf = (rows: readonly (readonly string[])[]): string => csvStart + rows.map(csvLine).join('')

export default page({ View: AccountDetailsView })
