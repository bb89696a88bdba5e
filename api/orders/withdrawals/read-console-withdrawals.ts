import type { api } from '#contract/api.ts'
import type { ConsoleWithdrawal, ConsoleWithdrawalDetail } from '#contract/console-withdrawals.ts'
import { currencyOf } from '#contract/orders.ts'
import type { Tx } from '../../db/database.ts'
import type { Handler, MemberContext } from '../../http/handler.ts'
import { Refused } from '../../refused.ts'
import { findNamesOfMember } from '../console/console-order.queries.ts'
import { isPaymentShared, openFlagsOf } from '../completing.ts'
import { decimalOrNull } from '../console/present-console-order.ts'
import { defined } from '../order-fields.ts'
import { findOrder } from '../order.queries.ts'
import { sharesWithOrderOf } from '../order-step.queries.ts'
import { shownReference } from '../present-order.ts'
import { isVoiceGood, takesTwo } from '../two-persons.ts'
import {
  findListedWithdrawal,
  listConsoleWithdrawalRows,
  type ListedWithdrawal,
} from './console-withdrawal.queries.ts'
import { paidSumOf } from './paid-sum.rules.ts'
import { presentWithdrawal, refundOf, shownWithdrawal } from './present-withdrawal.ts'
import { refundChainOf } from './request-withdrawal.ts'
import { readOrderPolicy } from '../../four-eyes/read-policy.ts'
import { proposedOf, voiceOf } from './withdrawal-voices.ts'

export const listConsoleWithdrawals: Handler<typeof api.listConsoleWithdrawals> = async (
  { query },
  { db, answer },
) => {
  const { limit, after, ...filter } = query
  const page = await listConsoleWithdrawalRows(db, defined(filter), { limit, after })
  answer.setNext(page.next)
  return page.rows.map(presentListed)
}

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

export const getConsoleWithdrawal: Handler<typeof api.getConsoleWithdrawal> = async ({ params }, context) => {
  const order = (await findOrder(context.db, params.id)).openFor(context.caller)
  const row = await findListedWithdrawal(context.db, order.id)
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
  const row = await findListedWithdrawal(db, orderId)
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
    // Of their own order staff read what every member reads of theirs (decision 19).
    id === null || isOwn ? null : { id, name: (await findNamesOfMember(db, id))?.staff_name ?? '' }
  const voice = isOwn ? null : voiceOf(row)
  const by = await named(row.proposed_by)
  return {
    ...presentListed(row),
    withdrawal: presentWithdrawal(row),
    refundChain: refundChainOf(row),
    until: row.until_at.toISOString(),
    decidedBy: await named(row.decided_by),
    refundedBy: await named(row.refunded_by),
    forbids: isOwn ? 'own' : isOwnTransaction ? 'own_transaction' : null,
    seenOnChain: decimalOrNull(row.chain_received),
    unsettled: openFlagsOf(row),
    isPaymentShared: await isPaymentShared(db, { id: row.order_id, is_tx_shared: row.is_tx_shared }),
    takesTwo: takesTwo(await readOrderPolicy(db, config, row.member_id), row.fab_qty),
    proposal:
      voice && by && row.proposed_at
        ? {
            by,
            at: row.proposed_at.toISOString(),
            ...voice,
            counts: await isVoiceGood(db, config, proposedOf(row)),
          }
        : null,
    updatedAt: row.updated_at.toISOString(),
  }
}
