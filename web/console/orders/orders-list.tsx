import {
  assignOrders,
  consoleOrders,
  listOrderColleagues,
  orderFlags,
  type ConsoleOrder,
} from '#contract/money/console-orders.ts'
import { cancelOrders, extendOrderDeadlines, updateOrder } from '#contract/money/order-desk.ts'
import { orderStates as states } from '#contract/money/orders.ts'
import { call } from '../../kernel/call/call.ts'
import { formatMoment } from '../../kernel/i18n/format-moment.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { orderStates } from '../../orders/order-states.ts'
import { pathTo } from '../../kernel/routes/routes.ts'
import { Address } from '../../kernel/ui/address.tsx'
import { assigneeColumn, assigneeField, assigneeFilter, assigneeOf } from '../list/assignee.tsx'
import { ListTime } from '../list/list-time.tsx'
import { Tag } from '../../kernel/ui/tag.tsx'
import type { ListSpec } from '../list/list-spec.ts'
import { Figure } from './figure.tsx'
import { flagLabels } from './order-labels.ts'
import styles from './orders.module.css'

const versionOf = ({ updatedAt }: ConsoleOrder) => updatedAt
const reason = {
  kind: 'reason',
  name: 'reason',
  label: 'consoleOrders.reason.member',
  schema: updateOrder.body.shape.reason,
} as const

export const ordersList: ListSpec<typeof consoleOrders> = {
  resource: consoleOrders,
  route: 'console.orders',
  caption: 'consoleOrders.caption',
  nameOf: ({ reference }) => reference,
  tagOf: ({ status, amount, currency }) => (
    <>
      <OrderState status={status} /> <Figure value={amount} unit={currency} />
    </>
  ),
  none: { title: 'consoleOrders.none' },
  bulk: [
    {
      name: 'extend',
      label: 'consoleOrders.bulk.extend',
      endpoint: extendOrderDeadlines,
      versionOf,
      fields: [
        { kind: 'moment', name: 'payBefore', label: 'consoleOrders.extend.until' },
        { ...reason, isRequired: true },
      ],
    },
    {
      name: 'assign',
      label: 'consoleOrders.bulk.assign',
      endpoint: assignOrders,
      versionOf: assigneeOf,
      fields: [assigneeField(() => call(listOrderColleagues, {}))],
    },
    { name: 'file', label: 'consoleOrders.bulk.file', isFile: true },
    {
      name: 'cancel',
      label: 'consoleOrders.bulk.cancel',
      endpoint: cancelOrders,
      versionOf,
      isDangerous: true,
      isUndoable: true,
      fields: [{ ...reason, isRequired: ['reported', 'paid'] }],
      notes: { reported: 'consoleOrders.bulk.reported', paid: 'consoleOrders.bulk.paid' },
    },
  ],
  columns: [
    {
      name: 'reference',
      heading: 'consoleOrders.reference',
      cell: ({ id, reference }) => (
        <a className={styles.reference} href={pathTo('console.order', { id })}>
          {reference}
        </a>
      ),
    },
    { name: 'state', heading: 'consoleOrders.state', cell: ({ status }) => <OrderState status={status} /> },
    {
      name: 'flags',
      heading: 'consoleOrders.flags',
      isWide: true,
      cell: ({ flags }) => <Flags flags={flags} />,
    },
    {
      name: 'member',
      heading: 'consoleOrders.member',
      isAddress: true,
      cell: ({ memberEmail }) => <Address email={memberEmail} />,
    },
    {
      name: 'amount',
      heading: 'consoleOrders.amount',
      isFigure: true,
      sort: 'amount',
      cell: ({ amount, currency }) => <Figure value={amount} unit={currency} />,
    },
    {
      name: 'quantity',
      heading: 'consoleOrders.quantity',
      isFigure: true,
      cell: ({ quantity }) => <Figure value={quantity} />,
    },
    {
      name: 'placed',
      heading: 'consoleOrders.placed',
      sort: 'placed',
      cell: ({ createdAt }) => <ListTime at={createdAt} />,
    },
    {
      name: 'deadline',
      heading: 'consoleOrders.deadline',
      sort: 'deadline',
      cell: ({ payBefore, status }) => status === 'pending' && payBefore && <ListTime at={payBefore} />,
    },
    {
      name: 'txId',
      heading: 'consoleOrders.txId',
      isExtra: true,
      cell: ({ txId }) => txId && <span className={`${styles.code} ${styles.txId}`}>{txId}</span>,
    },
    {
      name: 'payMethod',
      heading: 'consoleOrders.payMethod',
      isExtra: true,
      cell: ({ payMethod }) => payMethod,
    },
    { ...assigneeColumn, isExtra: true },
  ],
  filters: {
    q: {
      label: 'consoleOrders.search',
      kind: 'search',
      placeholder: 'consoleOrders.search.placeholder',
    },
    status: {
      label: 'consoleOrders.state',
      kind: 'choice',
      options: states.map((value) => ({ value, label: orderStates[value].words })),
    },
    flag: {
      label: 'consoleOrders.flag',
      kind: 'choice',
      options: orderFlags.map((value) => ({ value, label: flagLabels[value] })),
    },
    waitingFor: {
      label: 'console.list.waitingFor',
      kind: 'choice',
      options: [{ value: 'me', label: 'console.list.waitingFor.me' }],
    },
    assignee: assigneeFilter,
    coin: { label: 'consoleOrders.coin', kind: 'text' },
    from: { label: 'consoleOrders.from', kind: 'day' },
    to: { label: 'consoleOrders.to', kind: 'day' },
    min: { label: 'consoleOrders.min', kind: 'number' },
    max: { label: 'consoleOrders.max', kind: 'number' },
    ids: null,
  },
}

export function OrderState({ status }: Pick<ConsoleOrder, 'status'>) {
  const { t } = useMessages()
  const { colour, words } = orderStates[status]
  return <Tag colour={colour}>{t(words)}</Tag>
}

export function Flags({ flags }: Pick<ConsoleOrder, 'flags'>) {
  const { t } = useMessages()
  if (flags.length === 0) return null
  return (
    <ul className={styles.flags}>
      {flags.map((flag) => (
        <li key={flag}>
          <Tag colour={isGood(flag) ? 'verdigris' : 'red'}>{t(flagLabels[flag])}</Tag>
        </li>
      ))}
    </ul>
  )
}

const isGood = (flag: ConsoleOrder['flags'][number]): boolean =>
  flag === 'payment_reported' || flag === 'ready_to_complete'

export function Moment({ at }: { at: string }) {
  const { language } = useMessages()
  return <time dateTime={at}>{formatMoment(at, language)}</time>
}
