import type { api } from '#contract/api.ts'
import type { WithdrawalFilters } from '#contract/console-withdrawals.ts'
import { HOUR } from '#contract/durations.ts'
import { eachPage } from '../../db/each-page.ts'
import { csvDownload, utc, type CsvColumns } from '../../http/csv-download.ts'
import type { Download, Handler, MemberContext } from '../../http/handler.ts'
import { requireWithinLimits } from '../../rate-limits/rate-limit.ts'
import { decimalOrNull } from '../console/present-console-order.ts'
import { defined } from '../order-fields.ts'
import { listConsoleWithdrawalRows, type ListedWithdrawal } from './console-withdrawal.queries.ts'
import { presentListed } from './read-console-withdrawals.ts'

const pageSize = 250
const perHourMax = 30

type Columns = CsvColumns<ListedWithdrawal>

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
  return csvDownload(
    name,
    columns,
    eachPage((after) => listConsoleWithdrawalRows(db, defined(filter), { limit: pageSize, after }, isRefund)),
  )
}
