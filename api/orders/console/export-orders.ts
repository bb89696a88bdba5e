import type { api } from '#contract/api.ts'
import type { OrderFilters } from '#contract/console-orders.ts'
import { HOUR } from '#contract/durations.ts'
import { eachPage } from '../../db/each-page.ts'
import { csvDownload, utc, type CsvColumns } from '../../http/csv-download.ts'
import type { Download, Handler, MemberContext } from '../../http/handler.ts'
import { requireWithinLimits } from '../../rate-limits/rate-limit.ts'
import { defined } from '../order-fields.ts'
import {
  listConsoleOrderRows,
  listEndsOfOrders,
  type Ends,
  type ListedOrder,
} from './console-order.queries.ts'
import { decimalOrNull, differenceOf, presentConsoleOrder } from './present-console-order.ts'

const pageSize = 250
const perHourMax = 30

type Columns = CsvColumns<{ row: ListedOrder; ends: Ends | undefined; readerId: string }>

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

/** A promise to programs that read them: new ones are added at the end, and none is renamed. */
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

export const exportConsoleOrders: Handler<typeof api.exportConsoleOrders> = ({ query }, context) =>
  exported(context, query, { name: 'orders', columns: listed, withEnds: false })

export const exportOrderAccounts: Handler<typeof api.exportOrderAccounts> = ({ query }, context) =>
  exported(context, query, { name: 'orders-accounting', columns: accounts, withEnds: true })

async function exported(
  { db, keys, caller }: MemberContext,
  filter: OrderFilters,
  { name, columns, withEnds }: { name: string; columns: Columns; withEnds: boolean },
): Promise<Download> {
  const readerId = caller.memberId
  // Data of many others at once.
  caller.requireStepUp()
  await requireWithinLimits(db, keys, [{ key: `order files ${readerId}`, max: perHourMax, window: HOUR }])
  let ends = new Map<string, Ends>()
  const rows = eachPage(async (after) => {
    const page = await listConsoleOrderRows(db, readerId, defined(filter), { limit: pageSize, after })
    ends = withEnds
      ? await listEndsOfOrders(
          db,
          page.rows.map(({ id }) => id),
        )
      : ends
    return page
  })
  return csvDownload(name, columns, rows, (row) => ({ row, ends: ends.get(row.id), readerId }))
}
