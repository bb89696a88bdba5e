import type { api } from '#contract/api.ts'
import { shortDecimal } from '#contract/decimal.ts'
import { HOUR } from '#contract/durations.ts'
import type { OrderPayment } from '#contract/orders.ts'
import { transaction } from '../db/database.ts'
import type { Handler } from '../http/handler.ts'
import { Refused, refusedField } from '../refused.ts'
import { requireWithinLimits } from '../rate-limits/rate-limit.ts'
import { auditOrder } from './audit-order.ts'
import { notifyOwner } from './notify-owner.ts'
import { findOrder, insertOrderStep, listOrderSteps, lockOrder, updateOrderRow } from './order.queries.ts'
import { paymentUri, qrSvgOf, readTxId } from './payment.rules.ts'
import { presentOrder, shownReference } from './present-order.ts'

export const getOrderPayment: Handler<typeof api.getOrderPayment> = async ({ params }, { db, caller }) => {
  const order = (await findOrder(db, params.id)).openFor(caller)
  const steps = await listOrderSteps(db, order.id)
  const address = order.status === 'pending' ? order.receiving_address : ''
  const uri = address === '' ? null : paymentUri(order, address)
  const shown: OrderPayment = {
    orderId: order.id,
    reference: shownReference(order.reference),
    status: order.status,
    payMethod: order.pay_method,
    amount: order.amount === null ? null : shortDecimal(order.amount),
    receivingAddress: address,
    uri,
    qrSvg: address === '' ? null : qrSvgOf(uri ?? address),
    txId: order.tx_id,
    steps: [
      { kind: 'placed', at: order.created_at.toISOString() },
      ...steps.map(({ kind, at }) => ({ kind, at: at.toISOString() })),
    ],
  }
  return shown
}

const reportsPerHourMax = 20

/** Orders of other members are answered `not_found`, whether they exist or not. */
export const reportPayment: Handler<typeof api.reportPayment> = async ({ params, body }, context) => {
  const { db, keys, caller } = context
  await requireWithinLimits(db, keys, [
    { key: `report payment ${caller.memberId}`, max: reportsPerHourMax, window: HOUR },
  ])
  return transaction(db, async (db) => {
    const order = await lockOrder(db, params.id)
    if (order?.member_id !== caller.memberId) throw new Refused('not_found')
    if (order.status !== 'pending') throw new Refused('conflict')
    const txId = readTxId(order, body.txId)
    if (txId === undefined) throw refusedField('txId', 'tx_id')
    // Reported again unchanged.
    if (txId === order.tx_id) return presentOrder(order)
    const updated = await updateOrderRow(db, order.id, { txId })
    if (!updated) throw new Refused('not_found')
    await insertOrderStep(db, order.id, 'payment_reported', caller.memberId)
    await notifyOwner(db, context, updated, 'order-payment-reported')
    await auditOrder(db, caller.memberId, 'order-payment-reported', order.id)
    return presentOrder(updated)
  })
}
