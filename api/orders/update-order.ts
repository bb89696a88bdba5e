import type { api } from '#contract/api.ts'
import { parseDecimal } from '#contract/decimal.ts'
import type { Order } from '#contract/orders.ts'
import { transaction, type Tx } from '../db/database.ts'
import type { Handler, MemberContext } from '../http/handler.ts'
import { Refused, refusedField } from '../refused.ts'
import { findPayMethod, findSale } from '../sale/sale.queries.ts'
import { auditOrder } from './audit-order.ts'
import { claimTransaction, recordingRefusedClaims } from './claim-transaction.ts'
import { notifyOwner } from './notify-owner.ts'
import { decimals, defined, isSameNumber } from './order-fields.ts'
import {
  insertOrderStep,
  lockOrder,
  updateOrderRow,
  type OrderChange,
  type OrderRow,
} from './order.queries.ts'
import { canBecome } from './order.rules.ts'
import { presentOrder } from './present-order.ts'

type Body = Parameters<Handler<typeof api.updateOrder>>[0]['body']

/** Nobody decides on an order of their own: whoever pays must not be who finds that it was paid. */
export const updateOrder: Handler<typeof api.updateOrder> = ({ body }, context) => {
  const { caller } = context
  caller.requireStepUp()
  return recordingRefusedClaims(context, body._id, () =>
    transaction(context.db, async (db) => {
      const stored = await lockOrder(db, body._id)
      if (!stored) throw new Refused('not_found')
      if (stored.member_id === caller.memberId) throw new Refused('forbidden')
      if (body.memberId !== undefined && body.memberId !== stored.member_id)
        throw refusedField('memberId', 'mismatch')
      if (body.updatedAt !== undefined && body.updatedAt !== stored.updated_at.toISOString())
        throw new Refused('conflict')
      if (body.status !== undefined && !canBecome(stored.status, body.status)) throw new Refused('conflict')
      return change(db, stored, body, context)
    }),
  )
}

async function change(db: Tx, stored: OrderRow, body: Body, context: MemberContext): Promise<Order> {
  const { caller } = context
  const { reason = '' } = body
  const fields = await changedFields(db, stored, body)
  const claim = body.txId
    ? await claimTransaction(db, stored, body.txId, { isConfirmed: body.sharesTransaction, reason })
    : undefined
  const isOtherTx = claim !== undefined && claim.txId !== stored.tx_id
  const isSettled = body.reportedLate === false && stored.is_reported_late
  const becomes = body.status !== stored.status ? body.status : undefined
  const names = [
    ...Object.keys(fields),
    ...(isOtherTx ? ['txId'] : []),
    ...(isSettled ? ['reportedLate'] : []),
  ]
  if (names.length === 0 && becomes === undefined) return presentOrder(stored)
  if (stored.status !== 'pending' && reason === '') throw refusedField('reason', 'required')

  const order = await updateOrderRow(db, stored.id, {
    ...fields,
    ...(isOtherTx && claim),
    ...(isSettled && { reportedLate: false }),
    ...(becomes && { status: becomes }),
    // Nobody is shown where to send the wrong coin.
    ...(fields.payMethod !== undefined && { receivingAddress: '', payChain: null }),
  })
  const step = (kind: Parameters<typeof insertOrderStep>[2], why = '') =>
    insertOrderStep(db, order.id, kind, caller.memberId, why)
  if (isOtherTx && claim.sharesTransaction) await step('transaction_shared', reason)
  if (isOtherTx && stored.status === 'pending') await step('payment_reported')
  const isCorrected = isSettled || names.some((name) => isReplaced(name as keyof Body, stored))
  if (isCorrected) {
    await step('corrected', becomes ? '' : reason)
    await notifyOwner(db, context, order, 'order-corrected', reason)
  }
  if (becomes) {
    await step(becomes as 'completed' | 'cancelled', reason)
    await notifyOwner(
      db,
      context,
      order,
      becomes === 'completed' ? 'order-completed' : 'order-cancelled',
      reason,
    )
  }
  await auditOrder(db, caller.memberId, 'order-updated', order.id, {
    status: order.status,
    fields: [...names, ...(becomes ? ['status'] : [])].toSorted(),
  })
  return presentOrder(order)
}

const columns = {
  email: 'email',
  ethAddress: 'eth_address',
  btcAddress: 'btc_address',
  fabAddress: 'fab_address',
  payMethod: 'pay_method',
  amount: 'amount',
  fabQty: 'fab_qty',
  txId: 'tx_id',
} as const satisfies Partial<Record<keyof Body, keyof OrderRow>>

/** The fields whose values are not the stored ones. A sent-back record has rate and reference, which stay. */
async function changedFields(db: Tx, stored: OrderRow, body: Body): Promise<OrderChange> {
  const { email, ethAddress, btcAddress, fabAddress, payMethod } = body
  const given: OrderChange = {
    ...defined({ email, ethAddress, btcAddress, fabAddress, payMethod }),
    ...decimals({
      amount: isSameNumber(body.amount, stored.amount) ? undefined : body.amount,
      fabQty: isSameNumber(body.fabQty, stored.fab_qty) ? undefined : body.fabQty,
    }),
  }
  const changed = Object.fromEntries(
    Object.entries(given).filter(
      ([name, value]) =>
        !isEqual(value as string | null, stored[columns[name as keyof typeof columns]], name),
    ),
  ) as OrderChange
  if (changed.payMethod && stored.status === 'pending') await requireMethod(db, changed.payMethod)
  return changed
}

function isEqual(given: string | null, stored: string | null, name: string): boolean {
  if (given === null || stored === null || (name !== 'amount' && name !== 'fabQty')) return given === stored
  return parseDecimal(given) === parseDecimal(stored)
}

/** While the sale is open a pending order is paid by a method that exists. */
async function requireMethod(db: Tx, payMethod: string): Promise<void> {
  if (!(await findSale(db))?.is_open) return
  if (!(await findPayMethod(db, payMethod))?.is_open) throw refusedField('payMethod', 'one_of')
}

/** Filling in what was open is no correction. */
function isReplaced(name: keyof Body, stored: OrderRow): boolean {
  const before = name in columns ? stored[columns[name as keyof typeof columns]] : null
  return before !== null && before !== ''
}
