import { Readable } from 'node:stream'
import type { api } from '#contract/api.ts'
import type { OrderFilters } from '#contract/console-orders.ts'
import { csvLine, csvStart, type CsvCell } from '#contract/csv.ts'
import { HOUR } from '#contract/durations.ts'
import type { Tx } from '../../db/database.ts'
import { eachPage } from '../../db/each-page.ts'
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

type Columns = readonly (readonly [
  name: string,
  value: (row: ListedOrder, ends: Ends | undefined, readerId: string) => CsvCell,
])[]

const shown = (row: ListedOrder, readerId = '') => presentConsoleOrder(row, readerId)
const utc = (time: Date | null | undefined): string => time?.toISOString() ?? ''

const listed: Columns = [
  ['reference', (row) => shown(row).reference],
  ['state', (row) => row.status],
  ['flags', (row, _, readerId) => shown(row, readerId).flags.join(' ')],
  ['member', (row) => row.member_email],
  ['payMethod', (row) => row.pay_method],
  ['coin', (row) => shown(row).currency],
  ['amount', (row) => decimalOrNull(row.amount) ?? ''],
  ['quantity', (row) => decimalOrNull(row.fab_qty) ?? ''],
  ['txId', (row) => row.tx_id],
  ['placed', (row) => utc(row.created_at)],
  ['payBefore', (row) => utc(row.pay_before)],
]

/** A promise to programs that read them: new ones are added at the end, and none is renamed. */
const accounts: Columns = [
  ['reference', (row) => shown(row).reference],
  ['id', (row) => row.id],
  ['state', (row) => row.status],
  ['payMethod', (row) => row.pay_method],
  ['coin', (row) => shown(row).currency],
  ['amountDue', (row) => decimalOrNull(row.amount) ?? ''],
  ['amountReceived', (row) => decimalOrNull(row.paid_amount) ?? ''],
  ['difference', (row) => ({ decimal: differenceOf(row.paid_amount, row.amount) ?? '' })],
  ['rate', (row) => decimalOrNull(row.rate) ?? ''],
  ['quantity', (row) => decimalOrNull(row.fab_qty) ?? ''],
  ['txId', (row) => row.tx_id],
  ['placedAt', (row) => utc(row.created_at)],
  ['receivedAt', (row) => utc(row.paid_at)],
  ['completedAt', (_, ends) => utc(ends?.completed_at)],
  ['completedBy', (_, ends) => ends?.completed_by ?? ''],
  ['proposedBy', (row, ends, readerId) => (row.member_id === readerId ? '' : (ends?.proposed_by ?? ''))],
  ['cancelledAt', (row, ends) => utc(row.status === 'cancelled' ? ends?.cancelled_at : null)],
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
  // Data of many others at once.
  caller.requireStepUp()
  await requireWithinLimits(db, keys, [
    { key: `order files ${caller.memberId}`, max: perHourMax, window: HOUR },
  ])
  const today = new Date().toISOString().slice(0, 10)
  return {
    contentType: 'text/csv; charset=utf-8',
    fileName: `${name}-${today}.csv`,
    stream: Readable.from(linesOf(db, caller.memberId, filter, columns, withEnds)),
  }
}

/** Page by page, so that only one page is in memory at a time. */
async function* linesOf(db: Tx, readerId: string, filter: OrderFilters, columns: Columns, withEnds: boolean) {
  yield csvStart + csvLine(columns.map(([name]) => name))
  let ends = new Map<string, Ends>()
  const pages = eachPage(async (after) => {
    const page = await listConsoleOrderRows(db, readerId, defined(filter), { limit: pageSize, after })
    ends = withEnds
      ? await listEndsOfOrders(
          db,
          page.rows.map(({ id }) => id),
        )
      : ends
    return page
  })
  for await (const row of pages)
    yield csvLine(columns.map(([, value]) => value(row, ends.get(row.id), readerId)))
}
