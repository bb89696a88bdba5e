import { HOUR } from '#contract/durations.ts'
import { orderStates, type Order, type OrderState } from '#contract/orders.ts'
import type { Tx } from '../db/database.ts'
import { recordFourEyes } from '../four-eyes/record-changes.ts'
import { readOrderPolicy } from '../four-eyes/read-policy.ts'
import type { MemberContext } from '../http/handler.ts'
import { findMemberById, type MemberRow } from '../members/member.queries.ts'
import { requireWithinLimits } from '../rate-limits/rate-limit.ts'
import { Refused, refusedField, type FieldRefusal } from '../refused.ts'
import { requireNoSelfPricing } from '../sale/self-pricing.ts'
import { findPayMethod, lockSale, type SaleRow } from '../sale/sale.queries.ts'
import { requireWithinMethod } from '../sale/sale.rules.ts'
import { auditOrder } from './audit-order.ts'
import { checkedAddresses } from './checked-addresses.ts'
import { claimTransaction } from './claim-transaction.ts'
import { requireNotReturned } from './completing.ts'
import type { CreateOrderBody } from './create-order.ts'
import { auditedChanges, describeEntry } from './describe-order-changes.ts'
import { completedMail, notifyOwner, placedMail } from './notify-owner.ts'
import { decimals, defined } from './order-fields.ts'
import { insertOrder, type OrderChange, type OrderRow } from './order.queries.ts'
import { withOwnAddress } from './own-address.ts'
import { insertOrderStep, sharesWithOrderOf, type OrderStep } from './order-step.queries.ts'
import { lockTransactionKeys } from './transaction-history.queries.ts'
import { transactionKey } from './transaction-key.ts'
import { presentOrder } from './present-order.ts'
import { findSaleRate, requireReasonOffRate } from './quantity-at-rate.ts'
import { recordExceededCap, requireConfirmedExcess } from './exceeded-cap.ts'
import { findSecondPersonCause, takesTwo } from './four-eyes.ts'
import { promisePeriod } from './withdrawals/promised-period.ts'

const entriesPerHourMax = 300

/**
 * Enters an order that finance agreed on elsewhere, for another member and at an agreed price. An order that is still
 * to be paid must respect the limits of its payment method, unless a reason explains the exception. Every order must
 * respect the caps of the sale, unless finance confirms the excess. An order entered as completed needs a received
 * amount and a reason, and must not require a second approval.
 */
export async function enterOrder(db: Tx, body: CreateOrderBody, context: MemberContext): Promise<Order> {
  const { caller, keys, config } = context
  const { memberId, fabQty, status, amount, quoteId: _, txId, reason = '', ...others } = body
  const { sharesTransaction: _shares, exceedsCap, ...rest } = others
  const { id: ownerId } = await requireOtherOwner(db, memberId, context)
  const state = readState(status)
  const given = { ...defined(rest), ...(await checkedAddresses(db, rest)), ...decimals({ amount, fabQty }) }
  if (txId) await lockTransactionKeys(db, [transactionKey(txId)])
  const sale = await lockSale(db)
  // A price editor can't get around the self-pricing restriction by having a colleague enter the order.
  if (sale && state !== 'cancelled') await requireNoSelfPricing(db, ownerId)
  const received = state === 'completed' ? await requireCompletedByOne(db, ownerId, body, context) : {}
  await requireWithinLimits(db, keys, [
    { key: `enter order ${caller.memberId}`, max: entriesPerHourMax, window: HOUR },
  ])
  const unplaced = { member_id: ownerId, status: state, created_at: new Date(), fab_qty: null }
  const excess = await requireConfirmedExcess(db, unplaced, given.fabQty, { exceedsCap, reason })
  const isExplained = reason !== ''
  const { waits, ...method } =
    state === 'pending' ? await payableWith(db, given, { sale, isExplained }) : closedWay
  if (state === 'pending' && !isExplained) await requireReasonOffRate(db, config, given)
  const claim = await claimEntered(db, body, method.payChain, context)
  // Step-up authentication comes last, so that no one has to prove their identity for a request that fails anyway.
  if (state === 'completed') caller.requireStepUp()
  const entered = await insertOrder(
    db,
    ownerId,
    { ...given, ...method, ...claim, ...received, status: state },
    { payTime: state === 'pending' ? config.orderPayTime : undefined, waits },
  )
  const order = await withOwnAddress(db, config, entered)
  await promisePeriod(db, config, order)
  await recordEntry(db, order, { claim, reason }, context)
  await recordExceededCap(db, order, excess, context)
  await auditOrder(db, caller.memberId, 'order-created', order.id, {
    status: order.status,
    ...auditedChanges(describeEntry(order)),
  })
  return presentOrder(order)
}

async function requireOtherOwner(
  db: Tx,
  memberId: string | undefined,
  { caller }: MemberContext,
): Promise<MemberRow> {
  if (memberId === undefined || memberId === caller.memberId) throw new Refused('forbidden')
  const owner = await findMemberById(db, memberId)
  if (!owner || owner.erased_at) throw refusedField('memberId', 'unknown')
  return owner
}

async function claimEntered(
  db: Tx,
  { txId, payMethod = '', sharesTransaction, reason = '' }: CreateOrderBody,
  payChain: OrderChange['payChain'],
  { caller }: MemberContext,
) {
  if (!txId) return undefined
  // As with changing an order, officers can't assign their own payment to another order.
  if (await sharesWithOrderOf(db, caller.memberId, '', txId)) throw new Refused('forbidden')
  const unplaced = { id: null, pay_chain: payChain ?? null, pay_method: payMethod }
  return claimTransaction(db, unplaced, txId, { isConfirmed: sharesTransaction, reason })
}

/** Records the steps of the order's history, and emails the member unless it is entered as canceled. */
async function recordEntry(
  db: Tx,
  order: OrderRow,
  { claim, reason }: { claim: { txId: string; sharesTransaction: boolean } | undefined; reason: string },
  context: MemberContext,
): Promise<void> {
  const { status } = order
  const step = (kind: OrderStep['kind'], of: Partial<OrderStep>) =>
    insertOrderStep(db, order.id, { kind, by: context.caller.memberId, ...of })
  // The reason why one payment covers two orders may reveal the other member.
  const told = claim?.sharesTransaction ? '' : reason
  if (status === 'pending') await step('entered', { reason: told })
  if (claim?.sharesTransaction) await step('transaction_shared', { reason })
  if (status === 'completed') {
    await step('completed', {
      reason: told,
      txId: claim?.txId ?? '',
      changes: describeEntry(order).filter(({ field }) => field === 'paidAmount'),
      aloneQuantity: order.fab_qty ?? '0',
    })
    await notifyOwner(db, context, completedMail(order), { order })
  } else if (status === 'cancelled') await step('cancelled', { reason: told, txId: claim?.txId ?? '' })
  else if (claim) {
    await step('payment_reported', { txId: claim.txId })
    await notifyOwner(db, context, 'order-payment-reported', { order })
  } else await notifyOwner(db, context, placedMail(order), { order })
}

/**
 * Returns what was received for an order entered as completed. Rejects an order that needs two approvals: it must be
 * entered as pending.
 */
async function requireCompletedByOne(
  db: Tx,
  memberId: string,
  { amount, fabQty, payMethod = '', txId, reason }: CreateOrderBody,
  context: MemberContext,
): Promise<Pick<OrderChange, 'paidAmount'>> {
  const { caller, config } = context
  caller.requirePerson()
  const { fabQty: quantity = null, amount: received = null } = decimals({ fabQty, amount })
  const policy = await readOrderPolicy(db, config, memberId)
  if (takesTwo(policy, quantity)) throw refusedField('status', 'second_person')
  const missing: FieldRefusal[] = []
  if (received === null) missing.push({ path: 'amount', code: 'required' })
  if (!reason) missing.push({ path: 'reason', code: 'required' })
  if (received === null || missing.length > 0) throw new Refused('validation_failed', { fields: missing })
  const rate = (await findSaleRate(db, payMethod)) ?? null
  const completing = {
    amount: received,
    fabQty: quantity,
    rate,
    received,
    isCovered: false,
    isChangedByOfficer: false,
  }
  if (await findSecondPersonCause(db, policy, completing, caller.memberId))
    throw refusedField('status', 'second_person')
  await requireNotReturned(db, null, txId)
  await recordFourEyes(db, context)
  return { paidAmount: received }
}

type Way = Pick<OrderChange, 'payChain' | 'receivingAddress' | 'currency'> & { waits: boolean }
const closedWay: Way = { waits: false }

/**
 * Returns how the order is paid while the sale is open. Before the sale is set up, there are no methods to choose from.
 * An order agreed on outside the sale doesn't wait for a receiving address, because it never gets one.
 */
async function payableWith(
  db: Tx,
  { payMethod, amount }: OrderChange,
  { sale, isExplained }: { sale: SaleRow | undefined; isExplained: boolean },
): Promise<Way> {
  const method = payMethod ? await findPayMethod(db, payMethod) : undefined
  const waits = amount === undefined || amount === null || method !== undefined
  if (!payMethod || !sale?.is_open) return { waits }
  // Finance may agree on any payment method; a method of the sale uses its own address.
  if (!method?.is_open) return { waits }
  if (sale.is_selling && amount && !isExplained) requireWithinMethod(method, amount)
  return {
    waits,
    payChain: method.chain,
    receivingAddress: method.receiving_address,
    currency: method.currency,
  }
}

function readState(status: string | undefined): OrderState {
  const state = orderStates.find((known) => known === (status ?? 'pending').toLowerCase())
  if (!state) throw refusedField('status', 'one_of')
  return state
}
