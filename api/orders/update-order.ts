import { forgetWhatChainSaid } from '../chains/chain-payment.queries.ts'
import type { api } from '#contract/api.ts'
import { parseDecimal } from '#contract/decimal.ts'
import type { Order } from '#contract/orders.ts'
import { transaction, type Tx } from '../db/database.ts'
import type { Handler } from '../http/handler.ts'
import type { Services } from '../services.ts'
import { readOrderPolicy } from '../four-eyes/read-policy.ts'
import { Refused, refusedField } from '../refused.ts'
import { requireRoom } from '../sale/caps.ts'
import { findPayMethod, findSale, lockSale } from '../sale/sale.queries.ts'
import { auditOrder } from './audit-order.ts'
import { claimTransaction, recordingRefusedClaims } from './claim-transaction.ts'
import { confirmsShared, lockForCompleting, requireCompletable } from './completing.ts'
import { sayPayable } from './give-address.ts'
import { notifyOwner } from './notify-owner.ts'
import { decimals, defined, isSameNumber } from './order-fields.ts'
import { renewDeadline } from './order-deadline.queries.ts'
import { insertOrderStep, type OrderStep } from './order-step.queries.ts'
import { orderColumns, updateOrderRow, type OrderChange, type OrderRow } from './order.queries.ts'
import { canBecome } from './order.rules.ts'
import { lockOthersOrder } from './others-order.ts'
import { withOwnAddress } from './own-address.ts'
import { isPayable } from './payable.ts'
import { presentOrder } from './present-order.ts'
import { firstVoice, requireAsCompleted, tellSecond } from './two-persons.ts'
import { requireNotWithdrawn } from './withdrawals/require-not-withdrawn.ts'
import { hasRecordedPayment, isUnpaid } from './unpaid.ts'

type Body = Parameters<Handler<typeof api.updateOrder>>[0]['body']
type Change = Omit<Body, '_id' | 'memberId' | 'updatedAt'>
/** Who changes it: one of finance, or nobody but the program. */
export type Changing = Pick<Services, 'config' | 'keys'> & { caller: { memberId: string | null } }

export const updateOrder: Handler<typeof api.updateOrder> = ({ body }, context) => {
  const { caller } = context
  caller.requireStepUp()
  return recordingRefusedClaims(context, body._id, () =>
    transaction(context.db, async (db) => {
      const stored = await lockOthersOrder(db, body._id, caller, body)
      if (body.memberId !== undefined && body.memberId !== stored.member_id)
        throw refusedField('memberId', 'mismatch')
      return changeOrder(db, stored, body, context)
    }),
  )
}

/** The only way in which an order that is locked is completed or corrected, whoever asks for it. */
export async function changeOrder(db: Tx, stored: OrderRow, body: Change, context: Changing): Promise<Order> {
  const { caller } = context
  if (body.status !== undefined && !canBecome(stored.status, body.status)) throw new Refused('conflict')
  const { reason = '' } = body
  if (body.status === 'completed' || stored.status === 'completed') await lockForCompleting(db, stored, body)
  const fields = await changedFields(db, stored, body)
  const claim = await changedTransaction(db, { ...stored, ...paidBy(fields) }, body)
  const settled = settledFlags(stored, body)
  const paid = changedPayment(stored, body)
  const asked = body.status !== stored.status ? body.status : undefined
  // Only the first transaction of an order is no correction.
  const isReplaced = claim !== undefined && stored.tx_id !== ''
  const changed = Object.keys(fields.change)
  const filled = changed.filter((name) => wasOpen(stored, name))
  const corrected = [...changed.filter((name) => !filled.includes(name)), ...(isReplaced ? ['txId'] : [])]
  const names = [
    ...filled,
    ...corrected,
    ...(claim && !isReplaced ? ['txId'] : []),
    ...Object.keys(settled),
    ...Object.keys(paid),
  ]
  if (names.length === 0 && asked === undefined) return presentOrder(stored)
  const { paidAmount = stored.paid_amount, paidAt = stored.paid_at } = paid
  // Its member was told of the payment. Of a transaction that is named instead they are told as well.
  const isTakenBack =
    hasRecordedPayment(stored) &&
    !hasRecordedPayment({ paid_amount: paidAmount, paid_at: paidAt }) &&
    !claim?.txId
  const isExplained =
    corrected.length > 0 || Object.keys(settled).length > 0 || isTakenBack || stored.status !== 'pending'
  if (isExplained && reason === '') throw refusedField('reason', 'required')
  if (asked === 'completed') await requireNotWithdrawn(db, stored.id)
  if (asked === 'completed')
    requireCompletable(stored, settled, isTakenBack ? [...corrected, ...Object.keys(paid)] : corrected)
  const isShared = asked === 'completed' && (await confirmsShared(db, stored.id, body))
  const sharing = isShared || claim?.sharesTransaction ? { sharesTransaction: true } : {}
  // Why one payment pays two orders may tell of the other member.
  const told = sharing.sharesTransaction ? '' : reason
  const { amount = stored.amount, fabQty = stored.fab_qty } = fields.change
  if (asked === 'completed' && isOther(paidAmount, amount) && !reason && !stored.completion_reason)
    throw refusedField('reason', 'required')
  const policy = await readOrderPolicy(db, context.config, stored.member_id)
  requireAsCompleted(policy, stored, fields.change)
  if (filled.includes('fabQty') && reason === '')
    await requireRoomWhileSelling(db, stored, fields.change.fabQty)
  const proposal =
    asked === 'completed'
      ? await firstVoice(db, stored, { fabQty, changesMore: names.length > 0, reason: told }, context)
      : undefined
  const becomes = proposal ? undefined : asked

  const writtenRow = await updateOrderRow(
    db,
    stored.id,
    {
      ...fields.change,
      ...fields.way,
      ...claim,
      ...sharing,
      ...settled,
      ...paid,
      ...(becomes && { status: becomes }),
    },
    proposal,
  )
  if (fields.change.payMethod !== undefined) await forgetWhatChainSaid(db, stored.id)
  const changedRow = fields.change.payMethod
    ? await withOwnAddress(db, context.config, writtenRow)
    : writtenRow
  // Whoever is unpaid again, or was not the thief, must not be cancelled at the next look at the clock.
  const isRenewed = !isUnpaid(stored) || fields.change.payMethod !== undefined
  const isWaiting = isUnpaid(changedRow)
  const order =
    isWaiting && (isRenewed || isPayable(stored) !== isPayable(changedRow))
      ? await renewDeadline(db, stored.id, context.config.orderPayTime)
      : changedRow
  const isNowPayable = isWaiting && !isPayable(stored) && isPayable(order)
  const hasMoreTime =
    !isNowPayable && order.pay_before !== null && order.pay_before.getTime() !== stored.pay_before?.getTime()
  const step = (kind: OrderStep['kind'], of: { reason?: string; txId?: string }) =>
    insertOrderStep(db, order.id, { kind, by: caller.memberId, ...of })
  if (isReplaced) await step('transaction_taken', { txId: stored.tx_id })
  if (sharing.sharesTransaction) await step('transaction_shared', { reason })
  if (claim?.txId && stored.status === 'pending') await step('payment_reported', { txId: claim.txId })
  const isNews = filled.length > 0 || Object.keys(settled).length > 0 || isTakenBack
  const isCorrection = corrected.length > 0 || (isNews && !becomes)
  // Why a payment was recorded is for colleagues, and stands in their history alone.
  const isNote = reason !== '' && !asked && !isCorrection && !sharing.sharesTransaction
  // What was named for an order stays known, also for a closed one.
  const ofClosed = claim?.txId && stored.status !== 'pending' ? { txId: claim.txId } : {}
  const isRecorded = Object.keys(paid).length > 0 && !(isTakenBack && isCorrection)
  // A note is about what is named, and no payment of its own.
  const noted = isRecorded || !claim?.txId ? {} : { txId: claim.txId }
  if (isRecorded || isNote || (ofClosed.txId && !isCorrection))
    await step('payment_recorded', { reason: asked ? '' : reason, ...noted, ...(!isCorrection && ofClosed) })
  if (isCorrection) {
    await step('corrected', {
      reason: becomes ? '' : told,
      ...ofClosed,
    })
    await notifyOwner(db, context, order, 'order-corrected', told, stored)
    if (hasMoreTime) await step('deadline_extended', {})
  } else if (claim && !becomes) await notifyOwner(db, context, order, 'order-payment-reported')
  if (isNowPayable) await sayPayable(db, context, order, caller.memberId)
  if (becomes === 'completed' || becomes === 'cancelled') {
    // Of two who complete it, the second may have nothing to add to what the first said.
    const why = told || (becomes === 'completed' ? stored.completion_reason : '')
    await step(becomes, { reason: why })
    await notifyOwner(db, context, order, `order-${becomes}`, why)
  }
  if (names.length > 0 || becomes)
    await auditOrder(db, caller.memberId, 'order-updated', order.id, {
      status: order.status,
      fields: [...names, ...(becomes ? ['status'] : [])].toSorted(),
    })
  if (proposal) {
    await step('completion_proposed', { reason })
    await auditOrder(db, caller.memberId, 'order-completion-proposed', order.id)
    await tellSecond(db, context, order, proposal)
  }
  return presentOrder(order)
}

/** As where finance enters an order: beyond the caps only with a reason. */
async function requireRoomWhileSelling(
  db: Tx,
  stored: OrderRow,
  fabQty: string | null | undefined,
): Promise<void> {
  const sale = await lockSale(db)
  if (sale?.is_selling && stored.created_at >= (sale.opens_at ?? stored.created_at))
    await requireRoom(db, sale, stored.member_id, fabQty)
}

/** What an order without a quote leaves to finance. To say it is no correction, and may be part of completing. */
const wasOpen = (stored: OrderRow, name: string): boolean =>
  (name === 'amount' && stored.amount === null) ||
  (name === 'fabQty' && stored.fab_qty === null) ||
  (name === 'payMethod' && stored.pay_method === '')

type Settled = Pick<OrderChange, 'reportedLate' | 'disputed'>
type Fields = { change: OrderChange; way: Pick<OrderChange, 'receivingAddress' | 'payChain' | 'currency'> }

/** What was received, where it is not what is known already. */
function changedPayment(
  stored: OrderRow,
  { paidAmount, paidAt }: Pick<Change, 'paidAmount' | 'paidAt'>,
): Pick<OrderChange, 'paidAmount' | 'paidAt'> {
  const { amount } = decimals({ amount: paidAmount })
  const isNew = amount !== undefined && !isEqual(amount, stored.paid_amount, 'amount')
  return {
    ...(isNew && { paidAmount: amount }),
    ...(paidAt !== undefined &&
      paidAt !== (stored.paid_at?.toISOString() ?? null) && {
        paidAt: paidAt === null ? null : new Date(paidAt),
      }),
  }
}

/** More or less than was due is completed only with a word about it. */
const isOther = (paid: string | null, due: string | null): boolean =>
  paid !== null && due !== null && parseDecimal(paid) !== parseDecimal(due)

/** What was flagged, and finance says that it dealt with. */
const settledFlags = (stored: OrderRow, body: Change): Settled => ({
  ...(stored.is_reported_late && body.reportedLate === false && { reportedLate: false }),
  ...(stored.is_disputed && body.disputed === false && { disputed: false }),
})

/** A record that is sent back says '' of a transaction that was named meanwhile: only null takes it away. */
async function changedTransaction(
  db: Tx,
  order: OrderRow,
  { txId, sharesTransaction, reason }: Change,
): Promise<Pick<OrderChange, 'txId' | 'sharesTransaction'> | undefined> {
  if (txId === null) return order.tx_id === '' ? undefined : { txId: '', sharesTransaction: false }
  if (!txId) return undefined
  const claim = await claimTransaction(db, order, txId, { isConfirmed: sharesTransaction, reason })
  return claim.txId === order.tx_id ? undefined : claim
}

/** The fields whose values are not the stored ones. A sent-back record has rate and reference, which stay. */
async function changedFields(db: Tx, stored: OrderRow, body: Change): Promise<Fields> {
  const { email, ethAddress, btcAddress, fabAddress, payMethod } = body
  const given: OrderChange = {
    ...defined({ email, ethAddress, btcAddress, fabAddress, payMethod }),
    ...decimals({
      amount: isSameNumber(body.amount, stored.amount) ? undefined : body.amount,
      fabQty: isSameNumber(body.fabQty, stored.fab_qty) ? undefined : body.fabQty,
    }),
  }
  const change = Object.fromEntries(
    Object.entries(given).filter(
      ([name, value]) =>
        !isEqual(value as string | null, stored[orderColumns[name as keyof OrderChange]], name),
    ),
  ) as OrderChange
  const isOther = change.payMethod !== undefined
  return { change, way: isOther ? await otherWay(db, stored, change.payMethod ?? '') : {} }
}

function isEqual(given: string | null, stored: unknown, name: string): boolean {
  if (given === null || typeof stored !== 'string' || (name !== 'amount' && name !== 'fabQty'))
    return given === stored
  return parseDecimal(given) === parseDecimal(stored)
}

/**
 * While the sale is open a pending order is paid by a method that exists. Nobody is shown where to send the wrong coin: the
 * address is that of the method, or there is none yet.
 */
async function otherWay(db: Tx, stored: OrderRow, payMethod: string): Promise<Fields['way']> {
  const method = payMethod === '' ? undefined : await findPayMethod(db, payMethod)
  const sale = await findSale(db)
  const isPending = stored.status === 'pending'
  if (isPending && payMethod !== '' && sale?.is_selling && !method?.is_open)
    throw refusedField('payMethod', 'one_of')
  const isOffered = isPending && sale?.is_open && method?.is_open
  return {
    receivingAddress: isOffered ? method.receiving_address : '',
    payChain: method?.chain ?? null,
    currency: method?.currency ?? null,
  }
}

/** A transaction that comes with another pay method is one of that method. */
const paidBy = ({ change, way }: Fields): Partial<Pick<OrderRow, 'pay_method' | 'pay_chain'>> =>
  change.payMethod === undefined ? {} : { pay_method: change.payMethod, pay_chain: way.payChain ?? null }
