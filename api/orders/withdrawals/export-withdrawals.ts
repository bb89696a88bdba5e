import { Readable } from 'node:stream'
import type { api } from '#contract/api.ts'
import type { WithdrawalFilters } from '#contract/console-withdrawals.ts'
import { csvLine, csvStart, type CsvCell } from '#contract/csv.ts'
import { HOUR } from '#contract/durations.ts'
import type { Tx } from '../../db/database.ts'
import { eachPage } from '../../db/each-page.ts'
import type { Download, Handler, MemberContext } from '../../http/handler.ts'
import { requireWithinLimits } from '../../rate-limits/rate-limit.ts'
import { decimalOrNull } from '../console/present-console-order.ts'
import { defined } from '../order-fields.ts'
import { listConsoleWithdrawalRows, type ListedWithdrawal } from './console-withdrawal.queries.ts'
import { presentListed } from './read-console-withdrawals.ts'

const pageSize = 250
const perHourMax = 30

type Columns = readonly (readonly [name: string, value: (row: ListedWithdrawal) => CsvCell])[]

const utc = (time: Date | null): string => time?.toISOString() ?? ''
const shown = presentListed

const listed: Columns = [
  ['withdrawal', (row) => shown(row).reference],
  ['order', (row) => shown(row).orderReference],
  ['state', (row) => row.state],
  ['overdue', (row) => (row.is_overdue ? 'yes' : 'no')],
  ['member', (row) => row.member_email ?? ''],
  ['amount', (row) => shown(row).amount ?? ''],
  ['coin', (row) => shown(row).currency],
  ['requested', (row) => utc(row.requested_at)],
  ['refundBefore', (row) => utc(row.refund_before)],
  ['refundTo', (row) => row.refund_address],
  ['refundedAmount', (row) => decimalOrNull(row.refund_amount) ?? ''],
  ['refundedCoin', (row) => row.refund_currency],
  ['refundTxId', (row) => row.refund_tx_id],
  ['refundedOn', (row) => row.paid_on ?? ''],
  ['amountIs', (row) => shown(row).amountIs],
]

/** A promise to programs that read them: new ones are added at the end, and none is renamed. */
const accounts: Columns = [
  ['withdrawal', (row) => shown(row).reference],
  ['order', (row) => shown(row).orderReference],
  ['orderId', (row) => row.order_id],
  ['amountReceived', (row) => decimalOrNull(row.paid_amount) ?? ''],
  ['coin', (row) => shown(row).currency],
  ['refundedAmount', (row) => decimalOrNull(row.refund_amount) ?? ''],
  ['refundedCoin', (row) => row.refund_currency],
  ['refundTxId', (row) => row.refund_tx_id],
  ['refundedOn', (row) => row.paid_on ?? ''],
  ['requestedAt', (row) => utc(row.requested_at)],
  ['acceptedAt', (row) => utc(row.decided_at)],
  ['acceptedBy', (row) => row.decided_by_email ?? ''],
  ['recordedAt', (row) => utc(row.refunded_at)],
  ['recordedBy', (row) => row.refunded_by_email ?? ''],
]

export const exportConsoleWithdrawals: Handler<typeof api.exportConsoleWithdrawals> = ({ query }, context) =>
  exported(context, query, { name: 'withdrawals', columns: listed, isRefund: false })

/** Refunds alone: what orders brought in stands in the file of orders. */
export const exportRefundAccounts: Handler<typeof api.exportRefundAccounts> = ({ query }, context) =>
  exported(context, query, { name: 'refunds-accounting', columns: accounts, isRefund: true })

async function exported(
  { db, keys, caller }: MemberContext,
  filter: WithdrawalFilters,
  { name, columns, isRefund }: { name: string; columns: Columns; isRefund: boolean },
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
    stream: Readable.from(linesOf(db, filter, columns, isRefund)),
  }
}

/** Page by page, so that only one page is in memory at a time. */
async function* linesOf(db: Tx, filter: WithdrawalFilters, columns: Columns, isRefund: boolean) {
  yield csvStart + csvLine(columns.map(([name]) => name))
  const pages = eachPage((after) =>
    listConsoleWithdrawalRows(db, defined(filter), { limit: pageSize, after }, isRefund),
  )
  for await (const row of pages) yield csvLine(columns.map(([, value]) => value(row)))
}
