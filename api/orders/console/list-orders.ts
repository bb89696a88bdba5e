import type { api } from '#contract/api.ts'
import { consoleOrders } from '#contract/console-orders.ts'
import { utc, type CsvColumns } from '../../http/csv-download.ts'
import type { Handler, MemberContext } from '../../http/handler.ts'
import { sendFile, serveResource } from '../../resource/serve-resource.ts'
import {
  listConsoleOrderRows,
  listEndsOfOrders,
  type Ends,
  type ListedOrder,
} from './console-order.queries.ts'
import { decimalOrNull, differenceOf, presentConsoleOrder } from './present-console-order.ts'
import { readConsoleOrder } from './read-console-orders.ts'

type Line = { row: ListedOrder; ends: Ends | undefined; readerId: string }
type Columns = CsvColumns<Line>

const shown = (row: ListedOrder, readerId = '') => presentConsoleOrder(row, readerId)

const listed: Columns = [
  ['reference', ({ row }) => shown(row).reference],
  ['state', ({ row }) => row.status],
  ['flags', ({ row, readerId }) => shown(row, readerId).flags.join(' ')],
  ['member', ({ row }) => row.member_email],
  ['payMethod', ({ row }) => row.pay_method],
  ['coin', ({ row }) => shown(row).currency],
  ['amount', ({ row }) => decimalOrNull(row.amount) ?? ''],
  ['quantity', ({ row }) => decimalOrNull(row.fab_qty) ?? ''],
  ['txId', ({ row }) => row.tx_id],
  ['placed', ({ row }) => utc(row.created_at)],
  ['payBefore', ({ row }) => utc(row.pay_before)],
]

/** Stable columns for programs that read the file: new ones are added at the end, and none is renamed. */
const accounts: Columns = [
  ['reference', ({ row }) => shown(row).reference],
  ['id', ({ row }) => row.id],
  ['state', ({ row }) => row.status],
  ['payMethod', ({ row }) => row.pay_method],
  ['coin', ({ row }) => shown(row).currency],
  ['amountDue', ({ row }) => decimalOrNull(row.amount) ?? ''],
  ['amountReceived', ({ row }) => decimalOrNull(row.paid_amount) ?? ''],
  ['difference', ({ row }) => ({ decimal: differenceOf(row.paid_amount, row.amount) ?? '' })],
  ['rate', ({ row }) => decimalOrNull(row.rate) ?? ''],
  ['quantity', ({ row }) => decimalOrNull(row.fab_qty) ?? ''],
  ['txId', ({ row }) => row.tx_id],
  ['placedAt', ({ row }) => utc(row.created_at)],
  ['receivedAt', ({ row }) => utc(row.paid_at)],
  ['completedAt', ({ ends }) => utc(ends?.completed_at)],
  ['completedBy', ({ ends }) => ends?.completed_by ?? ''],
  ['proposedBy', ({ row, ends, readerId }) => (row.member_id === readerId ? '' : (ends?.proposed_by ?? ''))],
  ['cancelledAt', ({ row, ends }) => utc(row.status === 'cancelled' ? ends?.cancelled_at : null)],
]

const linesOf = ({ caller }: MemberContext, rows: readonly ListedOrder[], ends = new Map<string, Ends>()) =>
  rows.map((row) => ({ row, ends: ends.get(row.id), readerId: caller.memberId }))

export const {
  list: listConsoleOrders,
  file: exportConsoleOrders,
  get: getConsoleOrder,
} = serveResource(consoleOrders, {
  read: ({ db, caller }, filters, page) => listConsoleOrderRows(db, caller.memberId, filters, page),
  present: ({ caller }, rows) => rows.map((row) => presentConsoleOrder(row, caller.memberId)),
  file: { name: 'orders', columns: listed, lines: linesOf, limit: { name: 'order' } },
  detail: readConsoleOrder,
})

export const exportOrderAccounts: Handler<typeof api.exportOrderAccounts> = async ({ query }, context) => {
  const { db, caller } = context
  caller.requireStepUp()
  return sendFile<ListedOrder, Line>(
    context,
    {
      name: 'orders-accounting',
      columns: accounts,
      lines: async (context, rows) => {
        const ids = rows.map(({ id }) => id)
        return linesOf(context, rows, await listEndsOfOrders(db, ids))
      },
      limit: { name: 'order' },
    },
    (page) => listConsoleOrderRows(db, caller.memberId, query, page),
  )
}
