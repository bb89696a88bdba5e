import { shownReference } from '../../../platform/text/order-reference.ts'
import type { api } from '#contract/api.ts'
import {
  withdrawals,
  type ConsoleWithdrawal,
  type ConsoleWithdrawalDetail,
} from '#contract/money/console-withdrawals.ts'
import { currencyOf } from '#contract/money/orders.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { utc, type CsvColumns } from '../../../platform/http/csv-download.ts'
import type { Handler, MemberContext } from '../../../platform/http/handler.ts'
import { Refused } from '../../../platform/refused.ts'
import { sendFile, serveResource } from '../../../platform/resource/serve-resource.ts'
import { findNamesOfMember } from '../console/console-order.queries.ts'
import { isPaymentShared, openFlagsOf } from '../order-requirements.ts'
import { decimalOrNull } from '../console/present-console-order.ts'
import { findOrder } from '../order.queries.ts'
import { sharesWithOrderOf } from '../order-history.queries.ts'
import { isApprovalValid } from '../four-eyes.ts'
import {
  findListedWithdrawal,
  listConsoleWithdrawalRows,
  type ListedWithdrawal,
} from './console-withdrawal.queries.ts'
import { paidSumOf, versionOf, refundChainOf, withdrawalNeedsFourEyes } from './withdrawal.rules.ts'
import { presentWithdrawal, refundOf, shownWithdrawal } from './present-withdrawal.ts'
import { readOrderPolicy } from '../../../people/four-eyes/read-policy.ts'
import { approvalOf, isReplacingOther, proposedOf, withdrawalFactsOf } from './withdrawal-approvals.ts'

export const presentListed = (row: ListedWithdrawal): ConsoleWithdrawal => ({
  id: row.id,
  reference: shownWithdrawal(row.reference),
  orderId: row.order_id,
  orderReference: shownReference(row.order_reference),
  orderStatus: row.order_status,
  memberId: row.member_id,
  memberEmail: row.member_email ?? '',
  state: row.state,
  isOverdue: row.is_overdue,
  ...paidSumOf(row),
  currency: row.currency ?? currencyOf(row.pay_method),
  requestedAt: row.requested_at.toISOString(),
  refundBefore: row.refund_before.toISOString(),
  refund: refundOf(row),
})

type Columns = CsvColumns<ListedWithdrawal>

const listed: Columns = [
  ['withdrawal', (row) => presentListed(row).reference],
  ['order', (row) => presentListed(row).orderReference],
  ['state', (row) => row.state],
  ['overdue', (row) => (row.is_overdue ? 'yes' : 'no')],
  ['member', (row) => row.member_email ?? ''],
  ['amount', (row) => presentListed(row).amount ?? ''],
  ['coin', (row) => presentListed(row).currency],
  ['requested', (row) => utc(row.requested_at)],
  ['refundBefore', (row) => utc(row.refund_before)],
  ['refundTo', (row) => row.refund_address],
  ['refundedAmount', (row) => decimalOrNull(row.refund_amount) ?? ''],
  ['refundedCoin', (row) => row.refund_currency],
  ['refundTxId', (row) => row.refund_tx_id],
  ['refundedOn', (row) => row.paid_on ?? ''],
  ['amountIs', (row) => presentListed(row).amountIs],
]

/** Stable columns for programs that read the file: new ones are added at the end, and none is renamed. */
const accounts: Columns = [
  ['withdrawal', (row) => presentListed(row).reference],
  ['order', (row) => presentListed(row).orderReference],
  ['orderId', (row) => row.order_id],
  ['amountReceived', (row) => decimalOrNull(row.paid_amount) ?? ''],
  ['coin', (row) => presentListed(row).currency],
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

export const { list: listConsoleWithdrawals, file: exportConsoleWithdrawals } = serveResource(withdrawals, {
  read: ({ db, config, caller }, filters, page) =>
    listConsoleWithdrawalRows(db, { readerId: caller.memberId, chains: config.chains }, filters, page),
  present: (_, rows) => rows.map(presentListed),
  file: { name: 'withdrawals', columns: listed, lines: (_, rows) => rows, limit: { name: 'order' } },
})

/** Exports refunds only; the file of orders has the payments. */
export const exportRefundAccounts: Handler<typeof api.exportRefundAccounts> = async ({ query }, context) => {
  context.caller.requireStepUp()
  return sendFile<ListedWithdrawal, ListedWithdrawal>(
    context,
    { name: 'refunds-accounting', columns: accounts, lines: (_, rows) => rows, limit: { name: 'order' } },
    (page) =>
      listConsoleWithdrawalRows(
        context.db,
        { readerId: context.caller.memberId, chains: context.config.chains, areRefunds: true },
        query,
        page,
      ),
  )
}

export const getConsoleWithdrawal: Handler<typeof api.getConsoleWithdrawal> = async ({ params }, context) => {
  const order = (await findOrder(context.db, params.id)).openFor(context.caller)
  const row = await findListedWithdrawal(context.db, context.config.chains, order.id)
  return {
    orderId: order.id,
    memberId: order.member_id,
    withdrawal: row ? await presentDetail(context.db, context, row) : null,
  }
}

type Reader = Pick<MemberContext, 'config' | 'caller'>

export async function readConsoleWithdrawal(
  db: Tx,
  reader: Reader,
  orderId: string,
): Promise<ConsoleWithdrawalDetail> {
  const row = await findListedWithdrawal(db, reader.config.chains, orderId)
  if (!row) throw new Refused('not_found')
  return presentDetail(db, reader, row)
}

async function presentDetail(
  db: Tx,
  { config, caller }: Reader,
  row: ListedWithdrawal,
): Promise<ConsoleWithdrawalDetail> {
  const isOwn = row.member_id === caller.memberId
  const isOwnTransaction = !isOwn && (await sharesWithOrderOf(db, caller.memberId, row.order_id, ''))
  const named = async (id: string | null) =>
    // Staff see only what members see when they view their own order (decision 19).
    id === null || isOwn ? null : { id, name: (await findNamesOfMember(db, id))?.staff_name ?? '' }
  const voice = isOwn ? null : approvalOf(row)
  const by = await named(row.proposed_by)
  const policy = await readOrderPolicy(db, config)
  return {
    ...presentListed(row),
    withdrawal: presentWithdrawal(row),
    refundChain: refundChainOf(row),
    until: row.until_at.toISOString(),
    decidedBy: await named(row.decided_by),
    refundedBy: await named(row.refunded_by),
    forbids: isOwn ? 'own' : isOwnTransaction ? 'own_transaction' : null,
    seenOnChain: decimalOrNull(row.chain_received),
    unsettled: [...openFlagsOf(row), ...(row.is_returned ? (['payment'] as const) : [])],
    isPaymentShared: await isPaymentShared(db, { id: row.order_id, is_tx_shared: row.is_tx_shared }),
    takesTwo: withdrawalNeedsFourEyes(
      policy,
      await withdrawalFactsOf(db, { ...row, id: row.order_id }, row, caller.memberId),
      null,
    ),
    replaceTakesTwo:
      policy.twoPersonsFrom !== null &&
      (await isReplacingOther(db, row.order_id, row.state, caller.memberId)),
    proposal:
      voice && by && row.proposed_at
        ? {
            by,
            at: row.proposed_at.toISOString(),
            ...voice,
            counts: await isApprovalValid(db, config, proposedOf(row)),
          }
        : null,
    updatedAt: versionOf(row, row.order_updated_at).toISOString(),
  }
}
