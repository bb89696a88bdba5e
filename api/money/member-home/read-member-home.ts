import type { api } from '#contract/api.ts'
import {
  openOrdersMax,
  type MemberHome,
  type OpenOrder,
  type OpenOrderState,
  type OpenWithdrawal,
} from '#contract/money/member-home.ts'
import { countUnreadMessages } from '../../people/conversations/conversation.queries.ts'
import { findKycStateOfMember, findNewestKyc, findUsualHours } from '../../people/kyc/kyc.queries.ts'
import { getMemberById } from '../../people/members/member.queries.ts'
import { hasAnyFactor } from '../../people/sessions/factors.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Handler } from '../../platform/http/handler.ts'
import { findRefusalOf } from '../../platform/mail/bounces/mailbox-refusal.queries.ts'
import { complaint } from '../../platform/mail/mail-failure.ts'
import { shownReference } from '../../platform/text/order-reference.ts'
import { hasRecordedPayment, isPayable, isUnpaid } from '../orders/order.rules.ts'
import { refundChainOf } from '../orders/withdrawals/withdrawal.rules.ts'
import { readDisplayRates } from '../sale/display-rates.ts'
import { findSale, listPayMethods } from '../sale/sale.queries.ts'
import {
  listOpenOrders,
  listOpenWithdrawals,
  summarizeOrders,
  type OpenOrderRow,
} from './member-home.queries.ts'

/** Returns which steps the caller has completed and what is in progress. It reads only the caller’s own records. */
export const readMemberHome: Handler<typeof api.readMemberHome> = async (_, { db, content, caller }) => {
  const { memberId } = caller
  const { hasOrder, withoutAddress } = await summarizeOrders(db, memberId)
  const [orders, withdrawals] = [
    await listOpenOrders(db, memberId, openOrdersMax),
    await listOpenWithdrawals(db, memberId, openOrdersMax),
  ]
  return {
    email: await readEmailState(db, memberId),
    hasSecondFactor: await hasAnyFactor(db, memberId),
    identity: await readIdentity(db, memberId),
    sale: await readSalePeriod(db),
    hasOrder,
    orderWithoutAddress: withoutAddress,
    openOrders: orders.map(presentOpenOrder),
    openWithdrawals: withdrawals.map(presentOpenWithdrawal),
    unread: await countUnreadMessages(db, memberId),
    displayRates: readDisplayRates(content),
  }
}

async function readEmailState(db: Tx, memberId: string): Promise<MemberHome['email']> {
  const refusal = await findRefusalOf(db, memberId)
  if (refusal && refusal.error !== complaint) return 'refused'
  const { address_proved_at } = await getMemberById(db, memberId)
  return address_proved_at === null ? 'unconfirmed' : 'confirmed'
}

async function readIdentity(db: Tx, memberId: string): Promise<MemberHome['identity']> {
  const status = await findKycStateOfMember(db, memberId)
  const newest = await findNewestKyc(db, memberId)
  const isInReview = status === 'submitted' || status === 'in_review'
  return {
    status,
    applicationId: newest?.id ?? null,
    isFinal: newest?.is_final ?? false,
    // The query reads all recent decisions.
    usualHours: isInReview ? await findUsualHours(db) : null,
  }
}

/** The sale period is public only if staff have opened the sale. */
async function readSalePeriod(db: Tx): Promise<MemberHome['sale']> {
  const sale = await findSale(db)
  const hasMethod = (await listPayMethods(db)).some(({ is_open }) => is_open)
  return {
    isOpen: hasMethod && sale?.is_selling === true,
    opensAt: (sale?.is_open && sale.opens_at?.toISOString()) || null,
    closesAt: (sale?.is_open && sale.closes_at?.toISOString()) || null,
  }
}

function presentOpenOrder(row: OpenOrderRow): OpenOrder {
  const state = stateOf(row)
  const isDue = state === 'pay' || state === 'rest' || state === 'dropped'
  return {
    id: row.id,
    reference: shownReference(row.reference),
    state,
    payBefore: isDue ? (row.pay_before?.toISOString() ?? null) : null,
  }
}

/** What the order is waiting for. A state that finance must resolve takes precedence over the state on the chain. */
function stateOf(row: OpenOrderRow): OpenOrderState {
  if (hasRecordedPayment(row) || row.is_disputed || row.is_reported_late) return 'verify'
  const isOverdue = row.pay_before !== null && row.pay_before.getTime() <= Date.now()
  if (row.chain_state === 'too_little') return isOverdue ? 'verify' : 'rest'
  if (row.chain_state !== null && row.chain_state !== 'awaited') return onChain(row.chain_state)
  if (!isUnpaid({ ...row, completion_proposed_by: null })) return 'verify'
  if (!isPayable(row)) return 'unpayable'
  if (isOverdue) return 'overdue'
  return row.payment_dropped_at === null ? 'pay' : 'dropped'
}

const onChain = (state: NonNullable<OpenOrderRow['chain_state']>): OpenOrderState =>
  state === 'seen' || state === 'confirming' || state === 'reorganised' ? 'confirm' : 'verify'

const presentOpenWithdrawal = (
  row: Awaited<ReturnType<typeof listOpenWithdrawals>>[number],
): OpenWithdrawal => ({
  orderId: row.order_id,
  reference: shownReference(row.reference),
  isAccepted: row.state === 'accepted',
  refundBefore: row.refund_before.toISOString(),
  isAddressMissing: row.refund_address === '' && refundChainOf(row) !== null,
})
