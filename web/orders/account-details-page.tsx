import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react'
import { csvLine, csvStart } from '#contract/platform/csv.ts'
import { parseDecimal, parseNumber, writeDecimal } from '#contract/platform/decimal.ts'
import { pageSizeMax } from '#contract/platform/fields.ts'
import { listOwnDeliveries, type OwnDelivery } from '#contract/money/deliveries.ts'
import type { DisplayRate } from '#contract/money/display-rates.ts'
import { hasAnyStaffRight } from '#contract/people/level-of.ts'
import { findOrders, type Order } from '#contract/money/orders.ts'
import { readMemberHome, type MemberHome } from '#contract/money/member-home.ts'
import { call, callPage } from '../kernel/call/call.ts'
import { type UsedMessages, useMessages } from '../kernel/i18n/messages.tsx'
import { page, type PageProps } from '../kernel/routes/page.ts'
import { LoadFailed } from '../kernel/actions/load-failed.tsx'
import { useLoaded, type Loaded } from '../kernel/actions/use-loaded.ts'
import { consolePath } from '../kernel/routes/console-path.ts'
import { pathToNewOrder } from '../kernel/routes/path-to-new-order.ts'
import { updateMember as updateSession } from '../kernel/session/keep-session.ts'
import { useSession, type Member } from '../kernel/session/session.ts'
import { ButtonLink } from '../kernel/ui/button.tsx'
import { Message } from '../kernel/ui/form-status.tsx'
import { Loading } from '../kernel/ui/loading.tsx'
import { PageHead } from '../kernel/ui/page-head.tsx'
import { Approximately, CurrencyChoice } from './approximate.tsx'
import { deliveryRowsOf } from './delivery/delivery-rows.ts'
import { currentDeliveryOf, standingOf, sumsOf } from './delivery/own-deliveries.ts'
import { orderViewOf, pathToOrder } from './order-address.ts'
import { viewOf, type HomeStep, type HomeView, type NextAction } from './home/home-steps.ts'
import { MemberHomePart } from './home/member-home-part.tsx'
import { describeClosedSale } from './placing/closed-sale.ts'
import { UpgradeUser } from '../members/upgrade-user.tsx'
import { Empty } from '../kernel/ui/empty.tsx'
import { type Column, Table } from '../kernel/ui/table.tsx'
import { Tag } from '../kernel/ui/tag.tsx'
import { formatDecimal } from '../kernel/i18n/format-decimal.ts'
import styles from './order-list.module.css'
import { orderStates } from './order-states.ts'

// The list of orders needs neither forms nor addresses.
const PlaceOrder = lazy(() =>
  import('./placing/place-order.tsx').then((part) => ({ default: part.PlaceOrder })),
)
const OrderDetail = lazy(() =>
  import('./detail/order-detail.tsx').then((part) => ({ default: part.OrderDetail })),
)

function AccountDetailsView({ search }: PageProps<unknown>) {
  const { t } = useMessages()
  const { member } = useSession()
  const view = orderViewOf(search)
  if (member && view.name !== 'all')
    return (
      <Suspense fallback={<Loading label={t('forms.loading')} />}>
        {view.name === 'new' ? <PlaceOrder member={member} /> : <OrderDetail key={view.id} id={view.id} />}
      </Suspense>
    )
  return (
    <>
      {member ? <MemberStart member={member} /> : <Head />}
      <UpgradeUser isAdministrator={member?.isWriteAccessAdmin === true} />
    </>
  )
}

function Head({ action }: { action?: ReactNode }) {
  const { t } = useMessages()
  return <PageHead heading={t('orders.heading')} lead={t('orders.lead')} action={action} />
}

/** The member's next step and orders. If the next step can't be loaded, the orders are still shown. */
function MemberStart({ member }: { member: Member }) {
  const { t } = useMessages()
  const isStaff = hasAnyStaffRight(member)
  const home = useLoaded(member.id, () => call(readMemberHome, {}))
  const orders = useLoaded(member.id, () => findAllOrders(member.id))
  const deliveries = useLoaded(member.id, findAllDeliveries)
  const status = home.state === 'ready' ? home.data.identity.status : undefined
  // Updates the session, so that the order form uses a decision made since sign-in.
  useEffect(() => {
    if (status) updateSession({ kyc: status })
  }, [status])
  const view = home.state === 'ready' ? viewOf(home.data, { isStaff }) : undefined
  return (
    <>
      <Head action={<Actions isStaff={isStaff} hasFailed={home.state === 'failed'} view={view} />} />
      {/* They appear together, so that the list doesn’t move. */}
      {home.state === 'loading' || orders.state === 'loading' || deliveries.state === 'loading' ? (
        <Loading label={t('forms.loading')} />
      ) : (
        <>
          {home.state === 'ready' && view && <AboveOrders home={home.data} view={view} member={member} />}
          <Orders
            loaded={orders}
            found={deliveries}
            rates={home.state === 'ready' ? home.data.displayRates : []}
          />
        </>
      )}
    </>
  )
}

type ActionsProps = { isStaff: boolean; hasFailed: boolean; view: HomeView | undefined }

/** The page has one primary action: the next step, or else placing an order. */
function Actions({ isStaff, hasFailed, view }: ActionsProps) {
  const { t } = useMessages()
  const next = view?.next
  // Not offered if the next step leads to the form, or if the form would refuse the member because of their identity.
  const isOffered = isStaff || hasFailed || (view?.steps.identity === 'done' && !isStep(next, 'order'))
  return (
    <div className={styles.actions}>
      {/* Staff arrive here after sign-in but work in the console. */}
      {isStaff && (
        <ButtonLink kind="quiet" href={consolePath}>
          {t('account.console.open')}
        </ButtonLink>
      )}
      {isOffered && (
        <ButtonLink kind={next ? 'quiet' : 'primary'} href={pathToNewOrder()}>
          {t('orders.place')}
        </ButtonLink>
      )}
    </div>
  )
}

const isStep = (next: NextAction | null | undefined, step: HomeStep): boolean =>
  next?.kind === 'step' && next.step === step

function AboveOrders({ home, view, member }: { home: MemberHome; view: HomeView; member: Member }) {
  const messages = useMessages()
  return (
    <>
      {/* Otherwise, the checklist says it. */}
      {!home.sale.isOpen && (view.shows !== 'checklist' || home.hasOrder) && (
        <div className={styles.note}>
          <Message kind="note">
            <p>{describeClosedSale(messages, home.sale)}</p>
          </Message>
        </div>
      )}
      <MemberHomePart home={home} view={view} member={member} />
    </>
  )
}

type OrdersProps = {
  loaded: Exclude<Loaded<Order[]>, { state: 'loading' }>
  /** The deliveries of all orders. */
  found: Exclude<Loaded<OwnDelivery[]>, { state: 'loading' }>
  rates: readonly DisplayRate[]
}

function Orders({ loaded, found, rates }: OrdersProps) {
  const { t } = useMessages()
  if (loaded.state === 'failed')
    return <LoadFailed title={t('orders.loadFailed')} failure={loaded.failure} retry={loaded.retry} />
  const deliveries = found.state === 'ready' ? found.data : undefined
  return (
    <>
      <OrderList orders={loaded.data} rates={rates} deliveries={deliveries} />
      {found.state === 'failed' && (
        <LoadFailed title={t('deliveries.failed')} failure={found.failure} retry={found.retry} />
      )}
      {loaded.data.length > 0 && (
        <>
          <div className={styles.actions}>
            <OrdersFile orders={loaded.data} deliveries={deliveries} />
            <DeliveriesFile deliveries={deliveries} />
          </div>
          <CurrencyChoice rates={rates} />
        </>
      )}
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

async function findAllDeliveries(): Promise<OwnDelivery[]> {
  const found: OwnDelivery[] = []
  let after: string | undefined
  do {
    const query = { limit: pageSizeMax, ...(after !== undefined && { after }) }
    const part = await callPage(listOwnDeliveries, { query })
    found.push(...part.rows)
    after = part.next
  } while (after !== undefined)
  return found
}

type Deliveries = readonly OwnDelivery[] | undefined

/**
 * A link to a CSV file of all orders. Its numbers match the rows of the list; orders without a row have no number.
 * Amounts are unformatted, so that programs can read them.
 */
function OrdersFile({ orders, deliveries }: { orders: readonly Order[]; deliveries: Deliveries }) {
  const { t } = useMessages()
  return (
    <CsvLink rows={rowsOf(orders, t, deliveries)} name={t('orders.csv.fileName')}>
      {t('orders.csv')}
    </CsvLink>
  )
}

/** A link to a CSV file with a line for each delivery, if there are any. */
function DeliveriesFile({ deliveries }: { deliveries: Deliveries }) {
  const { t } = useMessages()
  if (!deliveries?.length) return null
  return (
    <CsvLink rows={deliveryRowsOf(deliveries, t)} name={t('deliveries.csv.fileName')}>
      {t('deliveries.csv')}
    </CsvLink>
  )
}

type CsvLinkProps = { rows: readonly (readonly string[])[]; name: string; children: ReactNode }

function CsvLink({ rows, name, children }: CsvLinkProps) {
  const [address, setAddress] = useState<string>()
  const text = csvOf(rows)
  useEffect(() => {
    const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }))
    setAddress(url)
    return () => URL.revokeObjectURL(url)
  }, [text])
  return (
    <ButtonLink kind="quiet" href={address} download={name}>
      {children}
    </ButtonLink>
  )
}

/** Without deliveries, their columns are left out, because empty ones would say that nothing was delivered. */
export function rowsOf(
  orders: readonly Order[],
  t: UsedMessages['t'],
  deliveries?: readonly OwnDelivery[],
): string[][] {
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
    ...(deliveries ? deliveryColumns(deliveries.filter(({ orderId }) => orderId === order._id)) : []),
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
      ...(deliveries
        ? [
            t('deliveries.csv.delivered'),
            t('deliveries.csv.nextDue'),
            t('deliveries.csv.nextAmount'),
            t('deliveries.csv.locked'),
          ]
        : []),
    ],
    ...listed.map((order, index) => row(order, String(index + 1))),
    ...orders.filter((order) => !isListed(order)).map((order) => row(order, '')),
  ]
}

function deliveryColumns(deliveries: readonly OwnDelivery[]): string[] {
  if (standingOf(deliveries).length === 0) return ['', '', '', '']
  const { delivered, dueNext, locked } = sumsOf(deliveries)
  return [delivered, dueNext?.dueAt ?? '', dueNext?.amount ?? '', locked]
}

export const csvOf = (rows: readonly (readonly string[])[]): string => csvStart + rows.map(csvLine).join('')

/** Only orders with a payment method have a row. Rows are numbered in their order. */
const isListed = ({ payMethod }: Pick<Order, 'payMethod'>): boolean => payMethod !== ''

function columnsIn(
  { t, language }: Pick<UsedMessages, 't' | 'language'>,
  rates: readonly DisplayRate[],
  deliveries: readonly OwnDelivery[],
): Column<Order>[] {
  const quantity = (exact: string | null) =>
    exact === null ? t('orders.unknown') : formatDecimal(exact, language)
  return [
    {
      name: 'number',
      heading: t('orders.number'),
      cell: (order, index) => (
        <span className={styles.number}>
          {index + 1}
          <a href={pathToOrder(order._id)} aria-label={t('orders.open', { reference: order.reference })}>
            {order.reference}
          </a>
        </span>
      ),
    },
    { name: 'payMethod', heading: t('orders.payMethod'), cell: (order) => order.payMethod },
    {
      name: 'amount',
      heading: t('orders.amount'),
      // The coin's name is next to the figure, so no unit is needed.
      cell: (order) => (
        <span className={styles.amount}>
          {order.exactAmount === null || order.currency === order.payMethod
            ? quantity(order.exactAmount)
            : `${quantity(order.exactAmount)} ${order.currency}`}
          <Approximately amount={order.exactAmount} unit={order.currency} rates={rates} />
        </span>
      ),
      isFigure: true,
    },
    {
      name: 'fabQty',
      heading: t('orders.fabQty'),
      cell: (order) => quantity(order.exactFabQty),
      isFigure: true,
    },
    {
      name: 'status',
      heading: t('orders.status'),
      cell: ({ _id, status }) => (
        <span className={styles.status}>
          <Tag colour={orderStates[status].colour}>{t(orderStates[status].words)}</Tag>
          <DeliveryState of={deliveries.filter(({ orderId }) => orderId === _id)} />
        </span>
      ),
    },
  ]
}

/** Where the tokens of a completed order are and, if they are delivered in parts, what comes next. */
function DeliveryState({ of }: { of: readonly OwnDelivery[] }) {
  const { t, language, formatDate } = useMessages()
  const current = currentDeliveryOf(of)
  if (!current) return null
  const { bought, delivered, dueNext } = sumsOf(of)
  const exact = (quantity: string) => formatDecimal(quantity, language)
  const isSplit = standingOf(of).length > 1
  const says =
    current.state === 'scheduled'
      ? t('deliveries.inList.scheduled', { date: formatDate(current.dueAt) })
      : t(`deliveries.inList.${current.state}`)
  if (!isSplit) return <small>{says}</small>
  return (
    <>
      <small>{t('deliveries.sum', { delivered: exact(delivered), bought: exact(bought) })}</small>
      {current.state !== 'confirmed' && (
        <small>
          {dueNext && (current.state === 'scheduled' || current.state === 'due')
            ? t('deliveries.inList.next', {
                quantity: exact(dueNext.amount),
                date: formatDate(dueNext.dueAt),
              })
            : says}
        </small>
      )}
    </>
  )
}

/** One row for every order with a payment method. The total includes all completed orders, even those without a row. */
export function OrderList({
  orders,
  rates = [],
  deliveries = [],
}: {
  orders: readonly Order[]
  rates?: readonly DisplayRate[]
  deliveries?: Deliveries
}) {
  const messages = useMessages()
  const { t, language } = messages
  const listed = orders.filter(isListed)
  const unlisted = orders.length - listed.length
  if (orders.length === 0)
    return (
      <Empty title={t('orders.empty')}>
        <p>{t('orders.emptyHelp')}</p>
      </Empty>
    )
  return (
    <Table
      caption={t('orders.heading')}
      columns={columnsIn(messages, rates, deliveries)}
      rows={listed}
      rowKey={(order) => order._id}
      foot={
        <div className={styles.foot}>
          <p className={styles.total}>
            <span>{t('orders.total')}</span>{' '}
            <strong>{t('orders.quantity', { quantity: formatDecimal(orderTotal(orders), language) })}</strong>
          </p>
          <p>{t('orders.totalHelp')}</p>
          {unlisted > 0 && <p>{t('orders.unlisted', { count: unlisted })}</p>}
        </div>
      }
    />
  )
}

type Counted = { status: string; fabQty: number | null; exactFabQty?: string | null }

/** Whether an order counts: it is completed, in any letter case, and its quantity is a number. */
export const countsTowardsTotal = (order: Counted): boolean =>
  order.status.toLowerCase() === 'completed' &&
  typeof order.fabQty === 'number' &&
  Number.isFinite(order.fabQty)

/** Returns the exact sum of the quantities that count, as a plain decimal such as `1200.5`. */
export const orderTotal = (orders: readonly Counted[]): string =>
  writeDecimal(orders.filter(countsTowardsTotal).reduce((sum, order) => sum + quantityOf(order), 0n))

/** The text keeps digits that a JavaScript number would lose. */
const quantityOf = ({ exactFabQty, fabQty }: Counted): bigint =>
  exactFabQty ? parseDecimal(exactFabQty) : parseNumber(fabQty ?? 0)

export default page({ View: AccountDetailsView })
